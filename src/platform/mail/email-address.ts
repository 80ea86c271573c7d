import { domainToASCII, domainToUnicode } from "node:url";
import { z } from "zod";
import { trimInvisible } from "../texts.ts";

/** The maximum lengths of an SMTP path and of its local part (RFC 5321, section 4.5.3.1). */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** A dot-atom (RFC 5322, section 3.2.3). */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** At least two labels of a host name (RFC 1123, section 2.1). The last one begins with a letter. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

/** The rule, for people. */
export const EMAIL_FORM =
  "At most 254 characters after trimming, with only ASCII before the @. International domains are stored as Punycode.";

interface Refusal {
  code: string;
  message: string;
}

/**
 * An email address in ASCII: without invisible characters around it, and with an international domain in Punycode. The
 * case stays.
 */
export const emailAddress = z.string().transform((text, context) => {
  const address = parseAddress(text);
  if (typeof address === "string") return address;
  context.addIssue({ code: "custom", message: address.message, params: { code: address.code } });
  return z.NEVER;
});

/**
 * The form in which addresses are compared: it ignores case and the spelling of an international domain. Addresses are
 * ASCII, so their case does not depend on a locale. Text that is not an address stays as it is.
 */
export function addressKey(text: string): string {
  const address = parseAddress(text);
  return typeof address === "string" ? address.toLowerCase() : text;
}

/** The address with an international domain in its own script. */
export function readableAddress(address: string): string {
  const [localPart, domain = ""] = address.split("@");
  return `${localPart}@${domainToUnicode(domain)}`;
}

function parseAddress(text: string): string | Refusal {
  const typed = withAsciiWidth(trimInvisible(text)).replace(INVISIBLE, "");
  const at = typed.lastIndexOf("@");
  const localPart = typed.slice(0, at);
  const domain = asciiDomain(typed.slice(at + 1));
  if (at < 1 || !DOMAIN.test(domain)) return invalid("Must be an email address");
  if (/\P{ASCII}/u.test(localPart)) return invalid("Must have only ASCII characters before the @");
  if (!LOCAL_PART.test(localPart)) return invalid("Must be an email address");
  const address = `${localPart}@${domain}`;
  if (address.length > MAX_LENGTH) return { code: "too_big", message: `Must have at most ${MAX_LENGTH} characters` };
  return localPart.length <= MAX_LOCAL_LENGTH
    ? address
    : { code: "too_big", message: `Must have at most ${MAX_LOCAL_LENGTH} characters before the @` };
}

/** Characters that are not displayed, except the joiners that some scripts need in a domain (RFC 5892, appendix A). */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d]]/gv;

/** Full-width characters as ASCII, and no others that look alike (RFC 8265, section 3.1). */
function withAsciiWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (character) => character.normalize("NFKC"));
}

function asciiDomain(domain: string): string {
  // Node stops at a slash, and drops tabs and line breaks.
  return /\P{ASCII}/u.test(domain) && !/[\s/?#@:%\\]/.test(domain) ? domainToASCII(domain) : domain;
}

function invalid(message: string): Refusal {
  return { code: "invalid_value", message };
}
