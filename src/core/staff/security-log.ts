import { createHash } from "node:crypto";
import { addressKey } from "../../platform/mail/email-address.ts";
import type { CoreContext } from "../context.ts";

/** The events of passwords, second factors and sessions, with their level in the log. Alarms are set on the names: they do not change. */
const levels = {
  login: "info",
  login_refused: "warn",
  login_locked_out: "warn",
  password_reset_requested: "info",
  password_changed: "info",
  sessions_ended: "info",
  account_disabled: "info",
  account_enabled: "info",
  second_factor_begun: "info",
  second_factor_enabled: "info",
  second_factor_disabled: "info",
  second_factor_asked: "info",
  second_factor_refused: "warn",
  recovery_code_used: "warn",
  recovery_codes_replaced: "info",
} as const;

export type SecurityEvent = keyof typeof levels;

/** Enough of a digest to tell accounts apart. */
const DIGEST_LENGTH = 16;

/** Writes one line that names the account by a digest of its address; whose account it is may not be known. */
export function logSecurityEvent(
  { logger, origin }: Pick<CoreContext, "logger" | "origin">,
  event: SecurityEvent,
  email: string | undefined,
  details: { sessions?: number } = {},
): void {
  const account = email === undefined ? null : digestAddress(email);
  logger[levels[event]]({ event, account, address: origin.address, ...details }, "security event");
}

/** The digest is the same however an address is written, as accounts are found. */
function digestAddress(email: string): string {
  return createHash("sha256").update(addressKey(email)).digest("hex").slice(0, DIGEST_LENGTH);
}
