import { Arg, Ctx, Mutation, ObjectType, Resolver } from "type-graphql";
import { field, objectOf } from "../model/fields.ts";
import type { CoreContext } from "../context.ts";
import { browserOf, requireStaff } from "./accounts/caller.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  regenerateRecoveryCodes,
  disableSecondFactor,
} from "./flows/second-factor.ts";

@ObjectType({ description: "The secret to set up an authenticator app with.", simpleResolvers: true })
class PendingSecondFactor extends objectOf({
  uri: field(String, "The otpauth:// URI, to show as a QR code for the app."),
  secret: field(String, "The secret of the URI in base32, to type into the app if it cannot scan the QR code."),
}) {}

const PASSWORD = "Your password. A wrong one fails with INVALID_CREDENTIALS.";
const CODE =
  "A code from the authenticator app, or a recovery code. A wrong one fails with INVALID_SECOND_FACTOR. Too many wrong ones fail with RATE_LIMITED.";

@Resolver()
export class SecondFactorMutations {
  @Mutation(() => PendingSecondFactor, {
    description:
      "Starts the setup of two-factor authentication with an authenticator app (TOTP). Call confirmSecondFactor within 15 minutes to turn it on. To start again, call this again. The result is shown only once.",
  })
  beginSecondFactor(
    @Ctx() context: CoreContext,
    @Arg("password", () => String, { description: PASSWORD }) password: string,
  ): Promise<PendingSecondFactor> {
    const caller = requireStaff(context);
    return beginSecondFactor(browserOf(context), caller, { password });
  }

  @Mutation(() => [String], {
    description:
      "Turns on two-factor authentication and ends your other sessions. Returns ten recovery codes, shown only once. Each one replaces a two-factor code once.",
  })
  confirmSecondFactor(
    @Ctx() context: CoreContext,
    @Arg("code", () => String, { description: "A code from the authenticator app." }) code: string,
  ): Promise<string[]> {
    const caller = requireStaff(context);
    return confirmSecondFactor(browserOf(context), caller, { code });
  }

  @Mutation(() => Boolean, {
    description:
      "Turns off your two-factor authentication. You lose access to shops that require it. Always returns true.",
  })
  async disableSecondFactor(
    @Ctx() context: CoreContext,
    @Arg("password", () => String, { description: PASSWORD }) password: string,
    @Arg("code", () => String, { description: CODE }) code: string,
  ): Promise<boolean> {
    const { name } = requireStaff(context);
    await disableSecondFactor(browserOf(context), name, { password, code });
    return true;
  }

  @Mutation(() => [String], { description: "Replaces your recovery codes with ten new ones, shown only once." })
  regenerateRecoveryCodes(
    @Ctx() context: CoreContext,
    @Arg("password", () => String, { description: PASSWORD }) password: string,
    @Arg("code", () => String, { description: CODE }) code: string,
  ): Promise<string[]> {
    const { name } = requireStaff(context);
    return regenerateRecoveryCodes(browserOf(context), name, { password, code });
  }
}
