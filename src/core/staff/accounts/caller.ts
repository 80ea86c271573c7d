import type { EntityManager } from "@mikro-orm/postgresql";
import type { Encryption } from "../../../platform/encryption.ts";
import type { CoreContext, Origin } from "../../context.ts";
import { AppError, unauthenticated } from "../../model/errors.ts";
import type { Caller } from "../../model/permissions.ts";
import { logSecurityEvent, type SecurityEvent } from "./security-log.ts";

/** What is needed to check accounts and their second factors. */
export interface AccountServices {
  em: EntityManager;
  encryption: Encryption;
}

/** The browser of a request about an account, with what is needed to check it. */
export interface Browser extends AccountServices {
  origin: Origin;
  /** The tokens in the browser's cookies. */
  sessionToken: string | undefined;
  deviceToken: string | undefined;
  /** Logs an event of the account with this address. */
  report: (event: SecurityEvent, email: string, details?: { sessions: number }) => void;
}

/** Returns the caller, who must be a staff member. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export function requireStaff({ caller }: CoreContext): Caller {
  if (!caller) throw unauthenticated();
  if (caller.kind !== "staff") throw new AppError("FORBIDDEN", "Only staff can do this");
  return caller;
}

/** The caller's browser, with its cookies. */
export function browserOf(context: CoreContext): Browser {
  const { orm, encryption, origin, session, device } = context;
  if (!session || !device) throw new AppError("FORBIDDEN", "Sessions are available only at /graphql");
  const report: Browser["report"] = (...event) => logSecurityEvent(context, ...event);
  return { em: orm.em, encryption, origin, sessionToken: session.token, deviceToken: device.token, report };
}
