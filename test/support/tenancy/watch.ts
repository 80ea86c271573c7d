import { resolve } from "node:path";
import { loadModule } from "libpg-query";
import { NamingClient } from "../../../src/platform/postgres/driver/naming-client.ts";
import { readCatalogue, shopColumnOf } from "./catalogue.ts";
import { exceptions, type Exception } from "./exceptions.ts";
import { findUnboundTables } from "./unbound-tables.ts";

const root = resolve(import.meta.dirname, "../../..");
/** Stack traces are this long, so that they reach from the connection to who asked. */
const FRAMES = 100;

const unboundTables = new Map<string, string[]>();
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
    const [statement] = call as [string | { text?: string }];
    judge(typeof statement === "string" ? statement : (statement.text ?? ""));
    return query.apply(this, call);
  };
}

/** Tells what was wrong since the last time. */
export function takeFaults(): string[] {
  const taken = [...faults.values()];
  faults.clear();
  return taken;
}

/** Tells the texts of the exceptions that were made since the last time. */
export function takeUsedExceptions(): string[] {
  const taken = [...used].map(({ text }) => text);
  used.clear();
  return taken;
}

function judge(text: string): void {
  const tables = unboundTables.get(text) ?? read(text);
  unboundTables.set(text, tables);
  if (tables.length === 0) return;
  const words = text.replace(/\s+/g, " ");
  const exception = exceptions.find(
    (known) => words.includes(known.text) && tables.every((table) => known.tables.includes(table)),
  );
  if (exception) {
    used.add(exception);
    return;
  }
  const frames = ownFrames();
  const isOfTest = frames[0]?.includes(`${root}/test/`);
  if (!isOfTest) faults.set(text, [`Nothing binds ${tables.join(", ")} to one shop in`, text, ...frames].join("\n"));
}

function read(text: string): string[] {
  const catalogue = readCatalogue();
  // The counters of log-ins come with their values, in thousands of texts.
  const isOfShop = [...catalogue.keys()].some((table) => text.includes(table) && shopColumnOf(table, catalogue));
  try {
    return isOfShop ? findUnboundTables(text, catalogue) : [];
  } catch (error) {
    return [`tables that are not known (${String(error)})`];
  }
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
