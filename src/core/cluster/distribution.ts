/** The column by which rows are distributed over the nodes of a cluster. */
export const DISTRIBUTION_COLUMN = "shop_id";

/**
 * Tables that every node has a copy of, because distributed tables refer to them. A change of one needs all nodes, and
 * a lock or a new reference the first one, so accounts are not among them: a login would wait for both.
 */
export const referenceTables = ["shops"];

/** Tables with a shop that stay on the coordinator, because their rows are also found without it, with the reasons. */
export const coordinatorTables = [
  // By the digest of a secret.
  "api_keys",
  "service_tokens",
  "invitations",
  // By the member.
  "memberships",
];
