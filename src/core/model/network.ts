import { z } from "zod";
import { canonicalNetwork } from "../../platform/networks.ts";
import type { InputIssue } from "./errors.ts";

const NOT_A_NETWORK = {
  code: "invalid_value",
  message: "Must be an IP address, or a network such as 203.0.113.0/24 or 2001:db8::/32",
};

/** The maximum number of addresses and networks that an API key allows. */
export const MAX_ALLOWED_ADDRESSES = 50;

const network = z.string().transform((value, context) => {
  const canonical = canonicalNetwork(value.trim());
  if (canonical !== undefined) return canonical;
  context.addIssue({ code: "custom", message: NOT_A_NETWORK.message });
  return z.NEVER;
});

/** The addresses and networks that an API key allows, each once and in one notation. */
export const allowedAddresses = z
  .array(network)
  .max(MAX_ALLOWED_ADDRESSES)
  .transform((networks) => [...new Set(networks)]);

/** Checks a network without a schema. */
export function checkNetwork(path: string, value: string): InputIssue[] {
  return canonicalNetwork(value) === undefined ? [{ path, ...NOT_A_NETWORK }] : [];
}
