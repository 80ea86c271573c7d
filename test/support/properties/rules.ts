/** The rules for input from docs/decisions, implemented independently of the code under test. */

type Verdicts = Record<string, (value: unknown) => boolean>;

function isText(value: unknown, most: number): value is string {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0") && Array.from(value).length <= most;
}

function isWhole(text: string, most: number): boolean {
  return /^[1-9][0-9]*$/.test(text) && BigInt(text) <= BigInt(most);
}

const statuses = new Set<unknown>(["ACTIVE", "DRAFT", "ARCHIVED"]);

const fields: Verdicts = {
  title: (value) => typeof value === "string" && isVisible(value) && isText(value.trim(), 255),
  price: (value) => isPriceInRange(value) && Number(value.toFixed(2)) === value,
  sku: (value) =>
    value === undefined || (typeof value === "string" && isLine(value.trim()) && isText(value.trim(), 64)),
  inventoryQuantity: (value) =>
    value === undefined || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1e9),
  status: (value) => value === undefined || statuses.has(value),
};

function isVisible(text: string): boolean {
  return text.replace(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "") !== "";
}

function isLine(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  return codes.every((code) => code >= 0x20 && !(code >= 0x7f && code < 0xa0) && code !== 0x2028 && code !== 0x2029);
}

function isPriceInRange(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 999_999_999_999.99;
}

/** The invalid fields in the body of a create, for a shop with a currency of two decimals. */
export function wrongFields(body: Record<string, unknown>): string[] {
  const own = new Map(Object.entries(body));
  const wrong = Object.entries(fields).filter(([name, isValid]) => !isValid(own.get(name)));
  return [...wrong.map(([name]) => name), ...[...own.keys()].filter((name) => !Object.hasOwn(fields, name))];
}

const parameters: Record<string, (value: string) => boolean> = {
  page: (value) => isWhole(value, 2 ** 31 - 1),
  limit: (value) => isWhole(value, 250),
  search: (value) => isText(value, 200),
  status: (value) => statuses.has(value),
  // Clients cannot invent a valid one.
  cursor: () => false,
};

/** The invalid parameters among those in `known`. */
export function wrongParameters(queryString: string, known: readonly string[]): string[] {
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const pair of queryString.split("&")) {
    if (pair === "") continue;
    const [rawName = "", ...rawValue] = pair.split("=");
    const name = decode(rawName);
    const value = decode(rawValue.join("="));
    const isValid =
      name !== undefined && value !== undefined && known.includes(name) && !seen.has(name) && parameters[name]!(value);
    if (!isValid) wrong.push(name ?? "");
    if (name !== undefined) seen.add(name);
  }
  return wrong;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return undefined;
  }
}
