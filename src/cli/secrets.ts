import { resealSecrets } from "../core/webhooks/endpoints/reseal-secrets.ts";
import { refuseUnready } from "./refuse-unready.ts";
import { runOnce } from "./run-once.ts";

/** Encrypts all signing secrets under the first of the encryption keys. */
export function reseal(): Promise<void> {
  return runOnce(async (app) => {
    await refuseUnready(app);
    const { resealed, cleared } = await resealSecrets({ ...app.core, em: app.core.orm.em });
    const [name] = app.core.encryption.keyNames;
    console.log(`Secrets encrypted under ${name}: ${resealed}; expired ones cleared: ${cleared}`);
  }, "secrets");
}
