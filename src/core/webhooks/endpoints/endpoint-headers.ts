import { z } from "zod";
import type { Encryption } from "../../../platform/encryption.ts";
import { text } from "../../model/text.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { secretOwner } from "./signing-secrets.ts";

export const MAX_HEADERS = 10;
export const MAX_NAME_LENGTH = 100;
/** Ten headers of the maximum length are less than the 16 KiB that Node and most other servers accept. */
export const MAX_VALUE_LENGTH = 1_024;

/**
 * Reserved headers that deliveries and connections set, or may set in the future: of the body, signatures, routing,
 * framing and tracing.
 */
const reservedStart = /^(content|webhook|x-webhook|proxy)-/;
const reservedNames = new Set(
  (
    "host user-agent accept-encoding traceparent tracestate " +
    "connection keep-alive te trailer transfer-encoding upgrade http2-settings expect"
  ).split(" "),
);

const nameSchema = text({ min: 1, max: MAX_NAME_LENGTH })
  // RFC 9110, section 5.6.2.
  .regex(/^[\w!#$%&'*+.^`|~-]*$/, { error: "Must contain only letters, digits and ! # $ % & ' * + - . ^ _ ` | ~" })
  .toLowerCase()
  .refine((name) => !reservedStart.test(name) && !reservedNames.has(name), {
    error: "Must not be a header that is set automatically",
  });

const valueSchema = text({ min: 1, max: MAX_VALUE_LENGTH, trim: true }).regex(/^[\t\x20-\x7e]*$/, {
  error: "Must contain only visible ASCII characters, with spaces and tabs between them",
});

/** The input of an endpoint's own headers, by lower-case name. */
export const headersSchema = z
  .array(z.strictObject({ name: nameSchema, value: valueSchema }))
  .max(MAX_HEADERS)
  .superRefine((headers, context) => {
    const names = headers.map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue;
      const params = { code: "repeated" };
      context.addIssue({ code: "custom", path: [index, "name"], message: "Must be given only once", params });
    }
  })
  .transform((headers) => Object.fromEntries(headers.map(({ name, value }) => [name, value])));

/** The owner to which an endpoint's encrypted headers are bound. Its signing secrets have another. */
export function headersOwner(endpoint: { shopId: string; id: string }): string {
  return `${secretOwner(endpoint)}/headers`;
}

/** The columns with an endpoint's headers. Values are always encrypted. */
export function sealHeaders(
  encryption: Encryption,
  endpoint: { shopId: string; id: string },
  headers: Record<string, string>,
): Pick<WebhookEndpoint, "headerNames" | "sealedHeaders"> {
  const headerNames = Object.keys(headers);
  const sealedHeaders =
    headerNames.length === 0 ? null : encryption.seal(JSON.stringify(headers), headersOwner(endpoint));
  return { headerNames, sealedHeaders };
}

export type SealedHeaders = Pick<WebhookEndpoint, "shopId" | "id" | "sealedHeaders">;

/** The decrypted headers of an endpoint, by name. */
export function openHeaders(encryption: Pick<Encryption, "open">, endpoint: SealedHeaders): Record<string, string> {
  const { sealedHeaders } = endpoint;
  return sealedHeaders === null ? {} : JSON.parse(encryption.open(sealedHeaders, headersOwner(endpoint)));
}
