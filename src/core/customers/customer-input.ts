import { UniqueConstraintViolationException } from "@mikro-orm/postgresql";
import { z } from "zod";
import { emailAddress } from "../../platform/mail/email-address.ts";
import { invalidInput } from "../model/errors.ts";
import { foldText } from "../../platform/fold-text.ts";
import { text } from "../model/text.ts";

const MIN_PHONE_DIGITS = 3;

/** Such as "ext. 5", "x5", "#5" or ";ext=5" (RFC 3966). */
const EXTENSION = /[,;]? ?(ext(ension|n)?[.:=]?|x|#) ?[0-9]+$/;

const phoneNumber = text({ max: 32 })
  .refine(
    (phone) => /^[0-9 +\-()./]*$/.test(phone.replace(EXTENSION, "")),
    "Must contain only digits, spaces and + - ( ) . /, and an extension such as ext. 5",
  )
  .refine((phone) => phone.replace(EXTENSION, "").replace(/\D/g, "").length >= MIN_PHONE_DIGITS, {
    error: `Must have at least ${MIN_PHONE_DIGITS} digits`,
    params: { code: "too_small" },
  });

/** The limits of a customer's fields. A phone number is stored as searches read it, and an empty one is none. */
export const customerFields = {
  email: emailAddress,
  firstName: text({ max: 100, trim: true }),
  lastName: text({ max: 100, trim: true }),
  phone: z
    .string()
    .transform(
      (phone) =>
        foldText(phone)
          .replace(/[\p{Dash_Punctuation}\u2212]/gu, "-")
          .replace(/\s+/g, " ")
          .trim() || null,
    )
    .pipe(phoneNumber.nullable())
    .nullable(),
  note: text({ max: 5_000 }).nullable(),
};

/** Runs the work. The unique index refuses an email address that is taken, also when two requests race for it. */
export async function refuseTakenEmail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException) || !error.message.includes("customers_email")) {
      throw error;
    }
    throw invalidInput([{ path: "email", code: "taken", message: "Is already used by another customer" }]);
  }
}
