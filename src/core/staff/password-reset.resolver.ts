import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { logSecurityEvent } from "./accounts/security-log.ts";
import { requestPasswordReset } from "./flows/request-password-reset.ts";
import { resetPassword } from "./flows/reset-password.ts";

@Resolver()
export class PasswordResetMutations {
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
