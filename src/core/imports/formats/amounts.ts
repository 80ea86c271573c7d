import type { DecimalMark } from "../../model/imports/import.enums.ts";

/** A number with a currency symbol, code or abbreviation, as in "CHF 1234.50" or "12,-". */
const AMOUNT = /^(?:\p{L}{1,3}\.?)?([-+]?[\d.,]*\d)(?:[.,][-–])?(?:\p{L}{1,3}\.?)?$/u;
const LONGEST = 40;
/** Whole digits in groups of three, in India also of two before the last. */
const grouped = {
  POINT: /^[-+]?(\d*|\d{1,3}(,\d{2,3})*,\d{3})(\.\d+)?$/,
  COMMA: /^[-+]?(\d*|\d{1,3}(\.\d{2,3})*\.\d{3})(,\d+)?$/,
};

/** Reads "1.234,56 €" as "1234.56". Returns undefined for anything but an amount. */
export function readAmount(text: string, mark: DecimalMark): string | undefined {
  const number = numberOf(text);
  if (number === undefined || !grouped[mark].test(number)) return undefined;
  const [whole = "", decimals] = number.replace("+", "").split(mark === "POINT" ? "." : ",");
  const digits = whole.replace(/[.,]/g, "").replace(/^-?$/, "$&0");
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}

function numberOf(text: string): string | undefined {
  const bare = text.length > LONGEST ? "" : text.replace(/[\s'’\p{Sc}]/gu, "");
  return AMOUNT.exec(bare)?.[1];
}

/** Collects what the amounts of a file show about their decimal mark. */
export class DecimalMarkFinder {
  #shown = new Set<DecimalMark>();
  /** The only mark of amounts such as 1.234, which can be read both ways. */
  #unclear = new Set<DecimalMark>();

  add(text: string): void {
    const number = numberOf(text) ?? "";
    const [first, ...others] = number.replace(/\d/g, "").replace(/^[-+]/, "");
    if (first === undefined) return;
    const last = others.at(-1) ?? first;
    const isRepeated = others.length > 0 && last === first;
    if (!isRepeated && others.length === 0 && /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(number)) {
      this.#unclear.add(markOf(first));
    } else {
      this.#shown.add(isRepeated ? otherThan(markOf(first)) : markOf(last));
    }
  }

  /**
   * The mark. Null when no amount has one, undefined when a person has to say it.
   *
   * @param usual the mark if the amounts do not show it
   */
  find(currencyDecimals: number, usual: DecimalMark | undefined): DecimalMark | null | undefined {
    const [shown, contrary] = this.#shown;
    if (contrary) return undefined;
    const [unclear, another] = this.#unclear;
    if (shown ?? !unclear) return shown ?? null;
    if (usual || another) return usual;
    return currencyDecimals === 0 ? otherThan(unclear!) : undefined;
  }
}

function markOf(character: string): DecimalMark {
  return character === "," ? "COMMA" : "POINT";
}

function otherThan(mark: DecimalMark): DecimalMark {
  return mark === "COMMA" ? "POINT" : "COMMA";
}
