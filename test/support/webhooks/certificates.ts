import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

const DAY = 24 * 60 * 60 * 1000;

/** Encoded object identifiers. */
const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
const BASIC_CONSTRAINTS = Buffer.from("0603551d13", "hex");
const SUBJECT_ALT_NAME = Buffer.from("0603551d11", "hex");
const TRUE = Buffer.from("0101ff", "hex");
const VERSION_3 = Buffer.from("a003020102", "hex");

/** A key and its certificate, in PEM. */
export interface Certified {
  cert: string;
  key: string;
}

export interface TestAuthority extends Certified {
  issue: (name: string, options?: { expiredDaysAgo?: number }) => Certified;
}

/** A certificate authority for the run, encoded in DER here because node:crypto creates keys but no certificates. */
export function createAuthority(name = "Test authority"): TestAuthority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issue = (subject: string, { expiredDaysAgo = -30 }: { expiredDaysAgo?: number } = {}) => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const extension = sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, Buffer.from(subject)))));
    const notAfter = Date.now() - expiredDaysAgo * DAY;
    const cert = certificate({ subject, issuer: name, publicKey: pair.publicKey, privateKey, notAfter, extension });
    return { cert, key: pem(pair.privateKey) };
  };
  const extension = sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)));
  const notAfter = Date.now() + 30 * DAY;
  const cert = certificate({ subject: name, issuer: name, publicKey, privateKey, notAfter, extension });
  return { cert, key: pem(privateKey), issue };
}

/** RFC 5280, 4.1. */
function certificate(options: {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
  notAfter: number;
  extension: Buffer;
}): string {
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const body = sequence(
    VERSION_3,
    der(0x02, serial),
    algorithm,
    nameOf(options.issuer),
    sequence(time(options.notAfter - 365 * DAY), time(options.notAfter)),
    nameOf(options.subject),
    options.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(options.extension)),
  );
  const signature = sign("sha256", body, options.privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString("base64").match(/.{1,64}/g)!;
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function pem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

/** GeneralizedTime, which RFC 5280 reserves for years from 2050 but OpenSSL accepts for all. */
function time(at: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(at).toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
