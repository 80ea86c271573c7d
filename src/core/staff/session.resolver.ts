import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { Session } from "../model/staff/session.entity.ts";
import { Staff } from "../model/staff/staff.entity.ts";
import { Id } from "../mutations/operation-arguments.ts";
import { browserOf, requireStaff } from "./accounts/caller.ts";
import { logSecurityEvent } from "./accounts/security-log.ts";
import { digestToken } from "./accounts/token.ts";
import { acceptInvitation } from "./flows/accept-invitation.ts";
import { logIn, type Login } from "./flows/log-in.ts";
import { changePassword, requestPasswordReset, resetPassword } from "./flows/passwords.ts";
import { endOtherSessions, endSession, logOut } from "./sessions/sessions.ts";

const CODE =
  "A code from the authenticator app, or a recovery code. Required if the account uses two-factor authentication. A wrong code fails with INVALID_SECOND_FACTOR and counts as a wrong password.";

@Resolver(() => Session)
export class SessionResolver {
  @FieldResolver(() => Boolean, { description: "Whether this request uses the session." })
  isCurrent(@Root() { tokenDigest }: Session, @Ctx() { session }: CoreContext): boolean {
    return session?.token !== undefined && digestToken(session.token).equals(tokenDigest);
  }
}

@Resolver()
export class SessionMutations {
  @Mutation(() => Staff, {
    description:
      "Opens a session in a cookie. It ends after 12 hours, or after one hour without use, and replaces an earlier session of the browser. A wrong email address or password fails with INVALID_CREDENTIALS. Too many wrong passwords fail with RATE_LIMITED, with a higher limit for browsers that have logged in before. If the account uses two-factor authentication, the correct password without a code fails with SECOND_FACTOR_REQUIRED.",
  })
  async logIn(
    @Ctx() context: CoreContext,
    @Arg("email", () => String, { description: "The email address, ignoring case. At most 254 characters." })
    email: string,
    @Arg("password", () => String, { description: "At most 256 characters." }) password: string,
    @Arg("code", () => String, { nullable: true, description: CODE }) code?: string | null,
  ): Promise<Staff> {
    return storeTokens(context, await logIn(browserOf(context), { email, password, code }));
  }

  @Mutation(() => Boolean, { description: "Ends the session of the cookie. Returns false if there was none." })
  logOut(@Ctx() context: CoreContext): Promise<boolean> {
    const browser = browserOf(context);
    if (browser.sessionToken !== undefined) context.session!.clear();
    return logOut(browser);
  }

  @Mutation(() => Boolean, { description: "Ends one of your sessions. Returns false if the session does not exist." })
  endSession(@Ctx() context: CoreContext, @Id("session") id: string): Promise<boolean> {
    const caller = requireStaff(context);
    return endSession(browserOf(context), caller, id);
  }

  @Mutation(() => Int, {
    description: "Ends all your sessions except this one, and returns the number of ended sessions.",
  })
  endOtherSessions(@Ctx() context: CoreContext): Promise<number> {
    const caller = requireStaff(context);
    return endOtherSessions(browserOf(context), caller);
  }

  @Mutation(() => Boolean, {
    description: "Changes your password. Ends all your sessions and opens a new one in this browser.",
  })
  async changePassword(
    @Ctx() context: CoreContext,
    @Arg("currentPassword", () => String, {
      description:
        "Your current password. A wrong one fails with INVALID_CREDENTIALS. Too many wrong ones in this session fail with RATE_LIMITED.",
    })
    currentPassword: string,
    @Arg("newPassword", () => String, {
      description: "12 to 256 characters, hard to guess, and different from the current password.",
    })
    newPassword: string,
    @Arg("code", () => String, { nullable: true, description: CODE }) code?: string | null,
  ): Promise<boolean> {
    const { name } = requireStaff(context);
    const change = { currentPassword, newPassword, code };
    const login = await changePassword(browserOf(context), name, change);
    logSecurityEvent(context, "password_changed", name);
    storeTokens(context, login);
    return true;
  }

  @Mutation(() => Staff, {
    description:
      "Accepts an invitation and logs in. No session is needed. If the email address has no account, one is created with this password. Otherwise, send the password of the account: a wrong one fails with INVALID_CREDENTIALS. Fails with LIMIT_REACHED if the shop has 250 staff members.",
  })
  async acceptInvitation(
    @Ctx() context: CoreContext,
    @Arg("token", () => String, { description: "The token of the invitation." }) token: string,
    @Arg("password", () => String, { description: "12 to 256 characters. A new password must be hard to guess." })
    password: string,
    @Arg("code", () => String, { nullable: true, description: CODE }) code?: string | null,
  ): Promise<Staff> {
    return storeTokens(context, await acceptInvitation(browserOf(context), { token, password, code }));
  }

  @Mutation(() => Boolean, {
    description:
      "Emails a token to reset the password, if an account with the email address exists. Returns true either way. Fails with RATE_LIMITED after too many emails, and with FORBIDDEN if this service does not send email.",
  })
  async requestPasswordReset(
    @Ctx() context: CoreContext,
    @Arg("email", () => String, { description: "The email address, ignoring case. At most 254 characters." })
    email: string,
  ): Promise<boolean> {
    const services = { ...context, em: context.orm.em };
    await requestPasswordReset(services, { email }, context.origin.address);
    logSecurityEvent(context, "password_reset_requested", email);
    return true;
  }

  @Mutation(() => Boolean, {
    description:
      "Sets a new password with an emailed token. The token works once, within 30 minutes. Ends all sessions: log in with the new password. An invalid token fails with NOT_FOUND.",
  })
  async resetPassword(
    @Ctx() context: CoreContext,
    @Arg("token", () => String, { description: "The token from the email." }) token: string,
    @Arg("password", () => String, { description: "12 to 256 characters." }) password: string,
  ): Promise<boolean> {
    const { email } = await resetPassword(context.orm.em, { token, password }, context.origin);
    logSecurityEvent(context, "password_changed", email);
    return true;
  }
}

/** Completes every kind of login. */
function storeTokens(context: CoreContext, { staff, session, device }: Login): Staff {
  logSecurityEvent(context, "login", staff.email);
  context.session!.store(session.token, session.expiresAt);
  context.device!.store(device.token, device.expiresAt);
  return staff;
}
