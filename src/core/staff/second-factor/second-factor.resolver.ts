import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { logSecurityEvent } from "../security-log.ts";
import { accountServices, browserOf, requireStaff } from "../sessions/caller.ts";
import { beginSecondFactor } from "./begin-second-factor.ts";
import { confirmSecondFactor } from "./confirm-second-factor.ts";
import { regenerateRecoveryCodes } from "./regenerate-recovery-codes.ts";
import { disableSecondFactor } from "./remove-second-factor.ts";

@ObjectType({ description: "The secret that sets up an authenticator app.", simpleResolvers: true })
class PendingSecondFactor {
  @Field(() => String, { description: "An otpauth:// address, which apps read from a QR code of it." })
  uri!: string;

  @Field(() => String, { description: "The secret in it, in base32, to type in where there is no camera." })
  secret!: string;
}

const PASSWORD = "The caller's own. A wrong one is refused with INVALID_CREDENTIALS.";
const CODE =
  "Of the app, or a recovery code. A wrong one is refused with INVALID_SECOND_FACTOR, and too many with RATE_LIMITED.";

@Resolver()
export class SecondFactorMutations {
  @Mutation(() => PendingSecondFactor, {
    description:
      "Begins to set up an authenticator app (TOTP) for the caller. It counts once confirmSecondFactor is called, within " +
      "15 minutes; until then, beginning anew replaces it. The answer is shown here once and never again.",
  })
  async beginSecondFactor(
    @Ctx() context: CoreContext,
    @Arg("password", () => String, { description: PASSWORD }) password: string,
  ): Promise<PendingSecondFactor> {
    const caller = requireStaff(context);
    const begun = await beginSecondFactor(accountServices(context), caller, { password }, browserOf(context));
    logSecurityEvent(context, "second_factor_begun", caller.name);
    return begun;
  }

  @Mutation(() => [String], {
    description:
      "Turns the second factor on: from now on a login takes a code too. The caller's other sessions end. Answers ten " +
      "recovery codes, each of which stands in for a code once. They are shown here and never again.",
  })
  async confirmSecondFactor(
    @Ctx() context: CoreContext,
    @Arg("code", () => String, { description: "Of the app that was set up." }) code: string,
  ): Promise<string[]> {
    const caller = requireStaff(context);
    const codes = await confirmSecondFactor(accountServices(context), caller, { code }, browserOf(context));
    logSecurityEvent(context, "second_factor_enabled", caller.name);
    return codes;
  }

  @Mutation(() => Boolean, {
    description:
      "Turns the caller's second factor off. Shops that require one of them let them do nothing then. Always true.",
  })
  async disableSecondFactor(
    @Ctx() context: CoreContext,
    @Arg("password", () => String, { description: PASSWORD }) password: string,
    @Arg("code", () => String, { description: CODE }) code: string,
  ): Promise<boolean> {
    const { name } = requireStaff(context);
    await disableSecondFactor(accountServices(context), name, { password, code }, browserOf(context));
    logSecurityEvent(context, "second_factor_disabled", name);
    return true;
  }

  @Mutation(() => [String], {
    description: "Replaces the caller's recovery codes by ten new ones, shown here once and never again.",
  })
  async regenerateRecoveryCodes(
    @Ctx() context: CoreContext,
    @Arg("password", () => String, { description: PASSWORD }) password: string,
    @Arg("code", () => String, { description: CODE }) code: string,
  ): Promise<string[]> {
    const { name } = requireStaff(context);
    const proof = { password, code };
    const codes = await regenerateRecoveryCodes(accountServices(context), name, proof, browserOf(context));
    logSecurityEvent(context, "recovery_codes_replaced", name);
    return codes;
  }
}
