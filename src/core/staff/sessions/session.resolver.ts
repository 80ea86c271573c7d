import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { acceptInvitation } from "../invitations/accept-invitation.ts";
import { changePassword } from "../passwords/change-password.ts";
import { accountServices, browserOf, requireStaff } from "./caller.ts";
import { endOtherSessions, endSession, logOut } from "./end-sessions.ts";
import { logIn, type Login } from "./log-in.ts";
import { logSecurityEvent } from "../security-log.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { digestToken } from "./token.ts";

const CODE =
  "Of the second factor, where the account has one: the code of the app, or a recovery code. A wrong one is refused with " +
  "INVALID_SECOND_FACTOR, and counts as a wrong password does.";

@Resolver(() => Session)
export class SessionResolver {
  @FieldResolver(() => Boolean, { description: "True for the session of this request." })
  isCurrent(@Root() { tokenDigest }: Session, @Ctx() { session }: CoreContext): boolean {
    return session?.token !== undefined && digestToken(session.token).equals(tokenDigest);
  }
}

@Resolver()
export class SessionMutations {
  @Mutation(() => Staff, {
    description:
      "Opens a session, kept in a cookie for 12 hours, or until an hour without use. A session that the browser had " +
      "already ends. A wrong address or password is refused with INVALID_CREDENTIALS. Too many wrong passwords are refused with RATE_LIMITED, less so where somebody has logged in " +
      "from the browser before. An account with a second factor needs a code too: without one the right password is refused " +
      "with SECOND_FACTOR_REQUIRED.",
  })
  async logIn(
    @Ctx() context: CoreContext,
    @Arg("email", () => String, { description: "The e-mail address, in any case. At most 254 characters." })
    email: string,
    @Arg("password", () => String, { description: "At most 256 characters." }) password: string,
    @Arg("code", () => String, { nullable: true, description: CODE }) code?: string | null,
  ): Promise<Staff> {
    return storeTokens(context, await logIn(accountServices(context), { email, password, code }, browserOf(context)));
  }

  @Mutation(() => Boolean, { description: "Ends the session of the cookie. False when there was none." })
  async logOut(@Ctx() context: CoreContext): Promise<boolean> {
    const { sessionToken, origin } = browserOf(context);
    if (sessionToken === undefined) return false;
    context.session!.clear();
    const staff = await logOut(context.orm.em, sessionToken, origin);
    if (staff) logSecurityEvent(context, "sessions_ended", staff.email, { sessions: 1 });
    return staff !== undefined;
  }

  @Mutation(() => Boolean, {
    description: "Ends one of the caller's own sessions. False when there is none with this id.",
  })
  async endSession(
    @Ctx() context: CoreContext,
    @Arg("id", () => ID, { description: "The session." }) id: string,
  ): Promise<boolean> {
    const { id: staffId, name: email } = requireStaff(context);
    const isEnded = await endSession(context.orm.em, { id: staffId, email, origin: context.origin }, id);
    if (isEnded) logSecurityEvent(context, "sessions_ended", email, { sessions: 1 });
    return isEnded;
  }

  @Mutation(() => Int, { description: "Ends the caller's sessions but this one, and answers how many there were." })
  async endOtherSessions(@Ctx() context: CoreContext): Promise<number> {
    const { id, name: email } = requireStaff(context);
    const { origin, sessionToken } = browserOf(context);
    const sessions = await endOtherSessions(context.orm.em, { id, email, origin }, sessionToken);
    if (sessions > 0) logSecurityEvent(context, "sessions_ended", email, { sessions });
    return sessions;
  }

  @Mutation(() => Boolean, {
    description: "Changes the caller's own password. Every session ends, and this browser gets a new one.",
  })
  async changePassword(
    @Ctx() context: CoreContext,
    @Arg("currentPassword", () => String, {
      description: "A wrong one is refused with INVALID_CREDENTIALS, and too many in this session with RATE_LIMITED.",
    })
    currentPassword: string,
    @Arg("newPassword", () => String, {
      description: "12 to 256 characters, not soon guessed, and not the current one.",
    })
    newPassword: string,
    @Arg("code", () => String, { nullable: true, description: CODE }) code?: string | null,
  ): Promise<boolean> {
    const { name } = requireStaff(context);
    const change = { currentPassword, newPassword, code };
    const login = await changePassword(accountServices(context), name, change, browserOf(context));
    logSecurityEvent(context, "password_changed", name);
    storeTokens(context, login);
    return true;
  }

  @Mutation(() => Staff, {
    description:
      "Joins the shop of an invitation and logs in. No session is needed. An address without an account gets one with " +
      "this password; for one that has an account, the password must be its own (INVALID_CREDENTIALS when it is not). " +
      "A shop has at most 250 members (LIMIT_REACHED).",
  })
  async acceptInvitation(
    @Ctx() context: CoreContext,
    @Arg("token", () => String, { description: "Of the invitation." }) token: string,
    @Arg("password", () => String, { description: "12 to 256 characters; a new one must not be soon guessed." })
    password: string,
    @Arg("code", () => String, { nullable: true, description: CODE }) code?: string | null,
  ): Promise<Staff> {
    const input = { token, password, code };
    return storeTokens(context, await acceptInvitation(accountServices(context), input, browserOf(context)));
  }
}

/** Completes every kind of login. */
function storeTokens(context: CoreContext, { staff, session, device }: Login): Staff {
  logSecurityEvent(context, "login", staff.email);
  context.session!.store(session.token, session.expiresAt);
  context.device!.store(device.token, device.expiresAt);
  return staff;
}
