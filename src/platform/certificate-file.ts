import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";

const BLOCK = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** Reads the certificates of a PEM file, at least one. */
export const certificateFile = z.string().transform((file, context): string[] => {
  try {
    const blocks = readFileSync(file, "latin1").match(BLOCK) ?? [""];
    return blocks.map((pem) => new X509Certificate(pem).toString());
  } catch {
    context.addIssue({ code: "custom", message: "must be the path of a readable PEM file of valid certificates" });
    return z.NEVER;
  }
});
