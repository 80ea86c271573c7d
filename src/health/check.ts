import { setTimeout as wait } from "node:timers/promises";
import { databaseRefusal } from "../platform/errors.ts";

/** The time after which a check fails, because a server hangs. Milliseconds. */
const PATIENCE = 15_000;

/** What a check found, and what the operator can do: sentences without a period. */
export interface Finding {
  /** UNKNOWN: the check could not find out. */
  severity: "OK" | "UNKNOWN" | "WARNING" | "ERROR";
  finding: string;
  remedy?: string | undefined;
}

const of = (severity: Finding["severity"]) => (finding: string, remedy?: string) => ({ severity, finding, remedy });
export const ok = of("OK");
export const unknown = of("UNKNOWN");
export const warning = of("WARNING");
export const error = of("ERROR");

/** Joins a finding and its remedy. */
export function describe({ finding, remedy }: Finding): string {
  return remedy === undefined ? finding : `${finding}. ${remedy}`;
}

/** Checks by name: the finding when nothing is wrong, and a function that finds what is. It changes nothing. */
export type Checks = Record<string, [passed: string, find: () => Finding[] | Promise<Finding[]>]>;

/** Runs checks at the same time. One that throws or hangs does not affect the others. */
export async function runChecks(checks: Checks) {
  const late = error(`No result within ${PATIENCE / 1_000} seconds`, "Look for a server or a disk that hangs");
  const rows = Object.entries(checks).map(async ([check, [passed, find]]) => {
    const finding = (async () => find())().catch((reason: unknown) => [unknown(`Not checked: ${messageOf(reason)}`)]);
    const findings: Finding[] = await Promise.race([finding, wait(PATIENCE, [late], { ref: false })]);
    return (findings.length > 0 ? findings : [ok(passed)]).map(({ severity, finding: sentence, remedy = "" }) => {
      return { check, severity, finding: sentence, remedy };
    });
  });
  return (await Promise.all(rows)).flat();
}

/** The message of an error. It is empty when Node has tried several addresses. */
export function messageOf(reason: unknown): string {
  const { message, code } = reason as NodeJS.ErrnoException;
  return databaseRefusal(reason) || message || String(code);
}
