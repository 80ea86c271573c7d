import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";

const BLOCK = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** Reads the certificates of a PEM file. */
export const certificateFile = z.string().transform((file, context): string[] => {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  let blocks: string[];
  try {
    blocks = readFileSync(file, "latin1").match(BLOCK) ?? [];
  } catch {
    return refuse("must be the path of a readable PEM file");
  }
  const isValid = blocks.length > 0 && blocks.every(isCertificate);
  return isValid ? blocks : refuse("must name a PEM file with certificates, all of them valid");
});

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
