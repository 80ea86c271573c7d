import { z } from "zod";
import { canonicalNetwork } from "../../platform/networks.ts";

/** The maximum number of addresses and networks that an API key allows. */
export const MAX_ALLOWED_ADDRESSES = 50;

const network = z.string().transform((value, context) => {
  const canonical = canonicalNetwork(value.trim());
  const message = "Must be an IP address, or a network such as 203.0.113.0/24 or 2001:db8::/32";
  if (canonical === undefined) context.addIssue({ code: "custom", message });
  return canonical ?? z.NEVER;
});

/** The addresses and networks that an API key allows, each once and in one notation. */
export const allowedAddresses = z
  .array(network)
  .max(MAX_ALLOWED_ADDRESSES)
  .transform((networks) => [...new Set(networks)]);

export const allowedAddressesSchema = z.strictObject({ allowedAddresses });
