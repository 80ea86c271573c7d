import type { Caller } from "../../model/permissions.ts";
import type { CoreContext } from "../../context.ts";
import { AppError, unauthenticated } from "../../model/errors.ts";
import type { AccountServices, Browser } from "./browser.ts";
import { logSecurityEvent } from "./security-log.ts";

/** Returns the caller, who must be a staff member. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export function requireStaff({ caller }: CoreContext): Caller {
  if (!caller) throw unauthenticated();
  if (caller.kind !== "staff") throw new AppError("FORBIDDEN", "Only staff can do this");
  return caller;
}

/** The caller's browser, with its cookies. */
export function browserOf(context: CoreContext): Browser {
  const { origin, session, device } = context;
  if (!session || !device) throw new AppError("FORBIDDEN", "Sessions are available only at /graphql");
  const report: Browser["report"] = (event, email) => logSecurityEvent(context, event, email);
  return { origin, sessionToken: session.token, deviceToken: device.token, report };
}

/** What is needed to check accounts. */
export function accountServices({ orm, encryption }: CoreContext): AccountServices {
  return { em: orm.em, encryption };
}
