import { z } from "zod";
import type { Encryption } from "../../../platform/encryption.ts";
import { text } from "../../validation/input.ts";
import { secretOwner } from "./signing-secrets.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

export const MAX_HEADERS = 10;
export const MAX_NAME_LENGTH = 100;
/** Ten of the longest are less than the 16 KiB of headers that Node takes, and most others do. */
export const MAX_VALUE_LENGTH = 1_024;

/**
 * Headers that deliveries and connections set, or may set one day: of the body, signatures, routing, framing and
 * tracing.
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

/** The headers of an endpoint's own, by their names in lower case. */
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

/** The owner that an endpoint's sealed headers are bound to. Its signing secrets have another. */
export function headersOwner(endpoint: { shopId: string; id: string }): string {
  return `${secretOwner(endpoint)}/headers`;
}

/** The columns of an endpoint that hold its headers. Their values are in the clear in none. */
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

/** The values of the endpoint's headers, by their names. */
export function openHeaders(encryption: Pick<Encryption, "open">, endpoint: SealedHeaders): Record<string, string> {
  const { sealedHeaders } = endpoint;
  return sealedHeaders === null ? {} : JSON.parse(encryption.open(sealedHeaders, headersOwner(endpoint)));
}
