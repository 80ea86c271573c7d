import { operator } from "../../core/access/actor.ts";
import { resealSecondFactors } from "../../core/staff/second-factor/totp.ts";
import { resealSecrets } from "../../core/webhooks/endpoints/reseal-secrets.ts";
import { refuseUnready, runOnce } from "../open-app.ts";

/** Encrypts all stored secrets with the first encryption key. */
export function reseal(): Promise<void> {
  return runOnce(async (app) => {
    await refuseUnready(app);
    const services = { ...app.core, em: app.core.orm.em };
    const { resealed, cleared } = await resealSecrets(services, operator);
    const factors = await resealSecondFactors(services);
    const [name] = app.core.encryption.keyNames;
    console.log(`Secrets encrypted with ${name}: ${resealed + factors}. Expired secrets deleted: ${cleared}`);
  }, "secrets");
}
