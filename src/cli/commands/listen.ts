import { readConfig } from "../../config.ts";
import { listenForWebhooks, type ListenFlags } from "../../demo/listen.ts";

/** Receives a shop's webhooks on this machine until it is stopped. */
export function listen(flags: ListenFlags): Promise<void> {
  return listenForWebhooks(readConfig(process.env, "nothing"), flags);
}
