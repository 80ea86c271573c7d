import { Arg, ID, Int } from "type-graphql";

/** The argument with the id of a record. */
export const Id = (noun: string, name = "id") => Arg(name, () => ID, { description: `The ${noun}.` });

/** The argument with the changes to a record. */
export const Changes = (typeOf: () => object) =>
  Arg("input", typeOf, { description: "The changes. Omitted fields are left unchanged." });

/** The argument with the version of the record that the caller last read. */
export const ExpectedVersion = () => Arg("expectedVersion", () => Int, EXPECTED_VERSION);

/** Options of shared fields. */
export const EXPECTED_VERSION = {
  nullable: true,
  description:
    "The version that you last read. Fails with VERSION_CONFLICT if the record has been edited since. Changes to a product's stock or a customer's store credit do not count as edits.",
};

/** The rules of idempotency keys, for the documentation of both APIs. */
export const IDEMPOTENCY_RULES =
  "A unique key of 1 to 255 characters that makes it safe to retry the request. For 24 hours, a request with the same key and the same input returns the first response and changes nothing. The same key with different input is refused. Keys belong to the caller (the API key, service token or staff member): use a new key for each request. Two callers can use the same key.";

export const IDEMPOTENCY_KEY = {
  nullable: true,
  description: `${IDEMPOTENCY_RULES} The response lists the paths of replayed results in \`extensions.idempotentReplays\`.`,
};
