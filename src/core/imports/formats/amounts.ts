import { asciiDigits } from "../../../platform/fold-text.ts";
import type { DecimalMark } from "../../model/imports/import.enums.ts";

/** A number with a currency symbol, code or abbreviation, as in "CHF 1234.50", "12,-" or "Rs.1200/-", or for a unit. */
const AMOUNT =
  /^(?:\p{L}{1,4}\.?)?([-+]?[\d.,]*\d)(?:[.,:/][-–])?(?:\p{L}{1,4}(?:\.\p{L}{1,2})?\.?)?(?:\/\p{L}{1,5}\.?)?$/u;
/** Words that make of an amount a limit, as in "ab 12,50 €". */
const LIMIT = /^(ab|von|bis|ca|max|min|from|upto|od|da|des|desde|dès|vanaf|fra|från|от|до)\.?(?=\d)/iu;
const LONGEST = 40;
/** Whole digits in groups of three, in India also of two before the last. */
const grouped = {
  POINT: /^[-+]?(\d*|\d{1,3}(,\d{2,3})*,\d{3})(\.\d+)?$/,
  COMMA: /^[-+]?(\d*|\d{1,3}(\.\d{2,3})*\.\d{3})(,\d+)?$/,
};
/** Units: digits, in groups or not, decimals that are zero, and a word for pieces. */
const QUANTITY =
  /^([-+]?(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{2,3})*,\d{3}))(?:[.,]0{1,2})?(?:(?:pcs?|pieces?|units?|stk|stück|st|pz|uds?|szt|ks)\.?)?$/i;

/** Reads "1.234,56 €" as "1234.56". Returns undefined for anything but an amount. */
export function readAmount(text: string, mark: DecimalMark): string | undefined {
  const number = numberOf(text);
  if (number === undefined || !grouped[mark].test(number)) return undefined;
  const [whole = "", decimals] = number.replace("+", "").split(mark === "POINT" ? "." : ",");
  const digits = whole.replace(/[.,]/g, "").replace(/^-?$/, "$&0");
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}

/** Reads units, which have no decimals: 1.000 and 1,000 are a thousand. Returns undefined for anything else. */
export function readQuantity(text: string): number | undefined {
  const digits = QUANTITY.exec(bareNumber(text))?.[1];
  return digits === undefined ? undefined : Number(digits.replace(/[.,]/g, ""));
}

function numberOf(text: string): string | undefined {
  const bare = bareNumber(text);
  return LIMIT.test(bare) ? undefined : AMOUNT.exec(bare)?.[1];
}

/** Without spaces, symbols of currencies and marks between thousands, in ASCII digits. */
function bareNumber(text: string): string {
  if (text.length > LONGEST) return "";
  const ascii = text.normalize("NFKC").replaceAll("\u066b", ".").replaceAll("\u066c", ",");
  return asciiDigits(ascii).replace(/[\s'’\u2212\p{Sc}\p{Cf}]/gu, (found) => (found === "\u2212" ? "-" : ""));
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
