import { foldText } from "../queries/search.ts";

export interface CustomerSearchFields {
  email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
}

/**
 * The text that search looks into, a line for each value. The phone number is there as it is written and as its digits
 * alone, so that it is found however it is spaced.
 */
export function customerSearchText({ email, firstName, lastName, phone }: CustomerSearchFields): string {
  const values = [email, `${firstName} ${lastName}`, phone ?? ""].map((value) => foldText(value));
  const digits = values[2]!.replace(/\D/g, "");
  return [...values, digits].filter((value) => value.trim() !== "").join("\n");
}
