import { Arg, ID } from "type-graphql";

/** The argument with an operation's shop. */
export const ShopId = () => Arg("shopId", () => ID, { description: "The shop." });

/** The format of email addresses in inputs. */
export const EMAIL_FORM =
  "At most 254 characters after trimming, only ASCII before the @. An international domain is stored as Punycode.";

/** Options of shared arguments. */
export const EXPECTED_VERSION = {
  nullable: true,
  description:
    "The version that the caller has seen. When the record was edited since, nothing changes. A change of a product's stock or of a customer's store credit is no edit.",
};

/** The rules of idempotency keys, for the documentation of both APIs. */
export const IDEMPOTENCY_RULES =
  "1 to 255 characters that make it safe to send the request again: for 24 hours, the same key and input get the first answer instead of a second change, and the same key with another input is refused. A key belongs to its caller (the API key, service token or member of staff): requests of one caller need different keys, and those of two callers may have the same.";

export const IDEMPOTENCY_KEY = {
  nullable: true,
  description: `${IDEMPOTENCY_RULES} A replayed answer is named in the response's \`extensions.idempotentReplays\`, by its path.`,
};
