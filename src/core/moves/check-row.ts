import type { z } from "zod";
import { OperatorError } from "../../platform/errors.ts";
import { largestAmount, type Currency } from "../../platform/money.ts";
import type { AppError } from "../model/errors.ts";
import { parseInput } from "../validation/input.ts";
import type { MovedTable } from "./moved-rows.sql.ts";
import { rowSchema, type Row } from "./row-schemas.ts";
import type { MovedRow } from "./shop-file.ts";

/** Amounts that can be negative. Others start at 0. */
const SIGNED = new Set(["store_credit_entries.amount", "rounding_amount", "refunded_rounding_amount"]);

/** Numbers that are no money. */
const RATES = new Set(["tax_rate", "default_tax_rate"]);

/** Checks the rows of a file: each value must be one that the API could have written. */
export class RowChecker {
  readonly #shopId: string;
  readonly #schemas = new Map<MovedTable, z.ZodType<Row>>();
  /** Of the shop's own row, which comes before all amounts. */
  #currency: (Currency & { largest: number }) | undefined;

  constructor(shopId: string) {
    this.#shopId = shopId;
  }

  /** Returns the parsed row. @throws OperatorError with the line and the column */
  check(table: MovedTable, { line, row: json }: MovedRow): Row {
    let schema = this.#schemas.get(table);
    if (!schema) this.#schemas.set(table, (schema = rowSchema(table, this.#shopId)));
    const row = parseRow(json, line);
    const fault = findFault(schema, row) ?? this.#findMoneyFault(table, row, json);
    if (fault) throw new OperatorError(`Line ${line}: ${table.name}.${fault}`);
    return row;
  }

  #findMoneyFault({ name: table, columns }: MovedTable, row: Row, json: string): string | undefined {
    if (table === "shops") this.#currency = readCurrency(row);
    const shop = this.#currency;
    if (typeof row.currency === "string" && row.currency !== shop?.currency) return "currency: Must be the shop's";
    for (const { name, type } of columns) {
      const amount = row[name];
      if (type !== "numeric" || RATES.has(name) || typeof amount !== "number") continue;
      if (!shop) return `${name}: Must come after the shop's own row`;
      if (amount < 0 && !SIGNED.has(name) && !SIGNED.has(`${table}.${name}`)) return `${name}: Must be at least 0`;
      if (Math.abs(amount) > shop.largest) return `${name}: Must be at most ${shop.largest}`;
      // The text of the number, because a JavaScript number does not keep the digits.
      const text = `"${name}":${amount.toFixed(shop.currencyDecimals)}`;
      // The default of a column is 0.
      const isWritten = [text, `"${name}":0`].some((one) => json.includes(`${one},`) || json.includes(`${one}}`));
      if (!isWritten) return `${name}: Must have ${shop.currencyDecimals} decimal places in ${shop.currency}`;
    }
    return undefined;
  }
}

function findFault(schema: z.ZodType<Row>, row: Row): string | undefined {
  try {
    const parsed = parseInput(schema, row);
    // Some schemas trim or normalize.
    const changed = Object.keys(row).find((name) => typeof row[name] === "string" && row[name] !== parsed[name]);
    return changed && `${changed}: Must be written as the API writes it`;
  } catch (error) {
    const [issue] = (error as AppError).issues ?? [];
    if (!issue) throw error;
    return `${issue.path}: ${issue.message}`;
  }
}

export function parseRow(json: string, line: number): Row {
  try {
    return JSON.parse(json) as Row;
  } catch {
    throw new OperatorError(`Line ${line} is not JSON`);
  }
}

function readCurrency({ currency, currency_decimals: decimals }: Row) {
  const read = { currency: String(currency), currencyDecimals: Math.min(Number(decimals), 4) };
  return { ...read, largest: Number(largestAmount(read)) };
}
