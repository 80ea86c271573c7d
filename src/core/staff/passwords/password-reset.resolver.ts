import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { logSecurityEvent } from "../security-log.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { resetPassword } from "./reset-password.ts";

@Resolver()
export class PasswordResetMutations {
  @Mutation(() => Boolean, {
    description:
      "Mails a token with which to set another password, when there is an account with the address. The answer is true " +
      "either way. Too many mails are refused with RATE_LIMITED, and any where this service sends none with FORBIDDEN.",
  })
  async requestPasswordReset(
    @Ctx() context: CoreContext,
    @Arg("email", () => String, { description: "The e-mail address, in any case. At most 254 characters." })
    email: string,
  ): Promise<boolean> {
    const services = { ...context, em: context.orm.em };
    await requestPasswordReset(services, { email }, context.origin.address);
    logSecurityEvent(context, "password_reset_requested", email);
    return true;
  }

  @Mutation(() => Boolean, {
    description:
      "Sets another password by a token that was mailed within 30 minutes. It works once. Every session ends; log in with " +
      "the new password. A token that cannot be used is refused with NOT_FOUND.",
  })
  async resetPassword(
    @Ctx() context: CoreContext,
    @Arg("token", () => String, { description: "Of the mail." }) token: string,
    @Arg("password", () => String, { description: "12 to 256 characters." }) password: string,
  ): Promise<boolean> {
    const { email } = await resetPassword(context.orm.em, { token, password }, context.origin);
    logSecurityEvent(context, "password_changed", email);
    return true;
  }
}
