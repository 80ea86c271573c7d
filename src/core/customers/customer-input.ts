import { UniqueConstraintViolationException } from "@mikro-orm/postgresql";
import { emailAddress } from "../../platform/mail/email-address.ts";
import { invalidInput } from "../model/errors.ts";
import { text } from "../validation/input.ts";

const MIN_PHONE_DIGITS = 3;

/** The limits of a customer's fields. */
export const customerFields = {
  email: emailAddress,
  firstName: text({ max: 100, trim: true }),
  lastName: text({ max: 100, trim: true }),
  phone: text({ max: 32 })
    .refine((phone) => /^[0-9 +\-()./]*$/.test(phone), "Must contain only digits, spaces and + - ( ) . /")
    .refine((phone) => phone.replace(/[^0-9]/g, "").length >= MIN_PHONE_DIGITS, {
      error: `Must have at least ${MIN_PHONE_DIGITS} digits`,
      params: { code: "too_small" },
    })
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
