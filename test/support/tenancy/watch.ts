import { resolve } from "node:path";
import { loadModule } from "libpg-query";
import { NamingClient } from "../../../src/platform/postgres/driver/naming-client.ts";
import { readCatalogue, shopColumnOf } from "./catalogue.ts";
import { keys, nameOf, statements, withSingleSpaces, type Exception } from "./exceptions.ts";
import { findUnboundTables } from "./unbound-tables.ts";

const root = resolve(import.meta.dirname, "../../..");
/** Stack traces are this long, so that they reach from the connection to who asked. */
const FRAMES = 100;

/** What nothing binds in a statement, and the exceptions that may be meant for it. */
interface Verdict {
  tables: string[];
  exceptions: Exception[];
}

const verdicts = new Map<string, Verdict>();
const faults = new Map<string, string>();
const used = new Set<Exception>();
let isWatching = false;

/** Reads each statement that this process sends to PostgreSQL from now on. */
export async function watchStatements(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  await loadModule();
  const prototype = NamingClient.prototype as unknown as { query: (...call: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function watch(...call) {
    const [statement, parameters] = call as [string | { text?: string; values?: unknown[] }, unknown];
    const { text = "", values = parameters } = typeof statement === "string" ? { text: statement } : statement;
    judge(Array.isArray(values) ? withOneShop(text, values) : text);
    return query.apply(this, call);
  };
}

/** A statement that lists rows by their keys, with one parameter for all that hold the id of the same shop. */
export function withOneShop(text: string, values: readonly unknown[]): string {
  if (!text.includes(") in ((")) return text;
  return text.replace(/\$(\d+)/g, (parameter, number) => {
    const value = values[Number(number) - 1];
    return typeof value === "string" && value.startsWith("shop_") ? `$${values.indexOf(value) + 1}` : parameter;
  });
}

/** Tells what was wrong since the last time. */
export function takeFaults(): string[] {
  const taken = [...faults.values()];
  faults.clear();
  return taken;
}

/** Names the exceptions that were made since the last time. */
export function takeUsedExceptions(): string[] {
  const taken = [...used].map(nameOf);
  used.clear();
  return taken;
}

/** Notes a fault unless the statement is held to one shop, or is rightly not, sent by the files of these frames. */
export function judge(text: string, framesOf: () => string[] = ownFrames): void {
  const verdict = verdicts.get(text) ?? read(text);
  verdicts.set(text, verdict);
  const { tables, exceptions } = verdict;
  if (tables.length === 0) return;
  const frames = framesOf();
  const exception = exceptions.find((known) => !("source" in known) || isSentBy(known.source, frames));
  if (exception) {
    used.add(exception);
    return;
  }
  const isOfTest = frames[0]?.includes(`${root}/test/`);
  if (!isOfTest) faults.set(text, [`Nothing binds ${tables.join(", ")} to one shop in`, text, ...frames].join("\n"));
}

function read(text: string): Verdict {
  const catalogue = readCatalogue();
  const lowerCased = text.toLowerCase();
  // The counters of log-ins come with their values, in thousands of texts.
  const isOfShop = [...catalogue.keys()].some((table) => lowerCased.includes(table) && shopColumnOf(table, catalogue));
  try {
    const tables = isOfShop ? findUnboundTables(text, catalogue) : [];
    if (tables.length === 0) return { tables, exceptions: [] };
    const words = withSingleSpaces(text);
    const exceptions = [
      ...keys.filter((key) => findUnboundTables(text, catalogue, key).length === 0),
      ...statements.filter((known) => withSingleSpaces(known.text) === words),
    ];
    return { tables, exceptions };
  } catch (error) {
    return { tables: [`tables that are not known (${String(error)})`], exceptions: [] };
  }
}

/** Tells if the file is the one that asked, and not one further out. */
function isSentBy(source: string, frames: readonly string[]): boolean {
  const asked = frames.find((frame) => !frame.includes(`${root}/src/core/queries/database.ts`));
  return asked?.includes(`${root}/${source}:`) ?? false;
}

/** The way here through files of ours: the statements that tests write themselves may read what they like. */
function ownFrames(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const isOwn = (frame: string) => frame.includes(`${root}/src/`) || frame.includes(`${root}/test/`);
  // They pass on everybody's statements.
  const isBetween = (frame: string) =>
    frame.includes("/src/platform/") || /\/test\/support\/(postgres\/statements|tenancy\/watch)\.ts/.test(frame);
  return stack.split("\n").filter((frame) => isOwn(frame) && !isBetween(frame));
}
