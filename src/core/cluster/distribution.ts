/** The column by which rows are distributed over the nodes of a cluster. */
export const DISTRIBUTION_COLUMN = "shop_id";

/** Tables that every node has a copy of. Tables on the coordinator refer to them too. */
export const referenceTables = ["staff", "shops"];

/** Tables with a shop that stay on the coordinator, because their rows are also found without it, with the reasons. */
export const coordinatorTables = [
  // By the digest of a secret.
  "api_keys",
  "service_tokens",
  "invitations",
  // By the member.
  "memberships",
];
