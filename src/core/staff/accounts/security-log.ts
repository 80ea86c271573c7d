import { createHash } from "node:crypto";
import { addressKey } from "../../../platform/mail/email-address.ts";
import type { CoreContext } from "../../context.ts";

/**
 * Events of passwords, second factors and sessions, with their log level. Alarms depend on the names, so they must not
 * change.
 */
const levels = {
  login: "info",
  login_refused: "warn",
  login_locked_out: "warn",
  password_hash_refused: "warn",
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

/** Enough of a digest to distinguish accounts. */
const DIGEST_LENGTH = 16;

/** Logs an event with a digest of the account's address. The account may be unknown. */
export function logSecurityEvent(
  { logger, origin }: Pick<CoreContext, "logger" | "origin">,
  event: SecurityEvent,
  email: string | undefined,
  details: { sessions?: number } = {},
): void {
  const account = email === undefined ? null : digestAddress(email);
  logger[levels[event]]({ event, account, address: origin.address, ...details }, "security event");
}

/** Different spellings of an address have the same digest, as they find the same account. */
function digestAddress(email: string): string {
  return createHash("sha256").update(addressKey(email)).digest("hex").slice(0, DIGEST_LENGTH);
}
