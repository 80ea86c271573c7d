import { resolve } from "node:path";
import type { QueryResult } from "kysely";
import { loadModule } from "libpg-query";
import { Connection, type NamedQuery } from "../../../src/platform/postgres/driver/postgres-driver.ts";
import { readCatalog, shopColumnOf } from "./catalog.ts";
import { coordinatorStatements, digestOf, keys, nameOf, nodeStatements, type Exception } from "./exceptions.ts";
import { findUnboundTables } from "./unbound-tables.ts";
import { findUnroutable, isDistributed } from "./unroutable.ts";

const root = resolve(import.meta.dirname, "../../..");
/** The length of stack traces, which reach from the connection to the caller. */
const FRAMES = 100;

/** The unbound tables of a statement, the exceptions that may apply, and the parts that no exception allows. */
interface Verdict {
  tables: string[];
  exceptions: Exception[];
  unroutable: string[];
}

const verdicts = new Map<string, Verdict>();
const faults = new Map<string, string>();
const used = new Set<Exception>();
let isWatching = false;

/** Checks each statement that this process sends to PostgreSQL from now on. */
export async function watchStatements(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  await loadModule();
  const { executeQuery } = Connection.prototype;
  Connection.prototype.executeQuery = function watch<Row>(this: Connection, statement: NamedQuery) {
    judge(withOneShop(statement.sql, statement.parameters));
    return executeQuery.call(this, statement) as Promise<QueryResult<Row>>;
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

/** Returns the errors since the last call. */
export function takeFaults(): string[] {
  const taken = [...faults.values()];
  faults.clear();
  return taken;
}

/** Returns the exceptions used since the last call. */
export function takeUsedExceptions(): string[] {
  const taken = [...used].map(nameOf);
  used.clear();
  return taken;
}

/**
 * Records an error unless the statement is limited to one shop, or an exception allows it for the files of these
 * frames. A statement that Citus cannot route is an error, too.
 */
export function judge(text: string, framesOf: () => string[] = ownFrames): void {
  const verdict = verdicts.get(text) ?? read(text);
  verdicts.set(text, verdict);
  const { tables, exceptions, unroutable } = verdict;
  if (tables.length + unroutable.length === 0) return;
  const frames = framesOf();
  const isOfTest = frames[0]?.includes(`${root}/test/`);
  if (unroutable.length > 0 && !isOfTest) {
    faults.set(text, [`Citus cannot route ${unroutable.join(", ")} in`, text, ...frames].join("\n"));
    return;
  }
  const exception = exceptions.find((known) => !("source" in known) || isSentBy(known.source, frames));
  if (exception) {
    used.add(exception);
    return;
  }
  if (isOfTest) return;
  const fault = [`Nothing binds ${tables.join(", ")} to one shop in`, text, `with the digest ${digestOf(text)}`];
  faults.set(text, [...fault, ...frames].join("\n"));
}

function read(text: string): Verdict {
  const catalog = readCatalog();
  const lowerCased = text.toLowerCase();
  // Login counters include their values, which make thousands of texts.
  const isOfShop = [...catalog.keys()].some((table) => lowerCased.includes(table) && shopColumnOf(table, catalog));
  try {
    const tables = isOfShop ? findUnboundTables(text, catalog) : [];
    const unroutable = isOfShop ? findUnroutable(text, catalog) : [];
    if (tables.length === 0) return { tables, exceptions: [], unroutable };
    const digest = digestOf(text);
    const reviewed = tables.some(isDistributed) ? nodeStatements : coordinatorStatements;
    const exceptions = [
      ...keys.filter((key) => findUnboundTables(text, catalog, key).length === 0),
      ...reviewed.filter((known) => known.digest === digest),
    ];
    return { tables, exceptions, unroutable };
  } catch (error) {
    return { tables: [`tables that are not known (${String(error)})`], exceptions: [], unroutable: [] };
  }
}

/** Returns true when the file is the innermost caller. */
function isSentBy(source: string, frames: readonly string[]): boolean {
  const asked = frames.find((frame) => !frame.includes(`${root}/src/core/queries/database.ts`));
  return asked?.includes(`${root}/${source}:`) ?? false;
}

/** The call stack within the program's files. Statements of tests may read anything. */
function ownFrames(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const isOwn = (frame: string) => frame.includes(`${root}/src/`) || frame.includes(`${root}/test/`);
  // These files pass on all statements.
  const isBetween = (frame: string) =>
    frame.includes("/src/platform/") || /\/test\/support\/(postgres\/statements|tenancy\/watch)\.ts/.test(frame);
  return stack.split("\n").filter((frame) => isOwn(frame) && !isBetween(frame));
}
