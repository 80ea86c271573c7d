/** States of a key or a service token, by the server's clock, and their names. */
export const statuses = [
  ["ACTIVE", "Active"],
  ["EXPIRED", "Expired"],
  ["REVOKED", "Revoked"],
] as const;

export type CredentialStatus = (typeof statuses)[number][0];
