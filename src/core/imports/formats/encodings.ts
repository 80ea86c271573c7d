import iconv from "iconv-lite";
import { detectAll } from "jschardet";

/** Encodings that files of shops have beside Unicode, with the languages of each. The first is the most frequent. */
const languages: Record<string, string> = {
  "Windows-1252": "af ca da de en es fi fr ga is it nb nl nn no pt sq sv",
  "Windows-1250": "bs cs hr hu pl ro sk sl",
  "Windows-1251": "be bg kk mk ru sr uk",
  "Windows-1253": "el",
  "Windows-1254": "az tr",
  "Windows-1255": "he",
  "Windows-1256": "ar fa ur",
  "Windows-1257": "et lt lv",
  CP874: "th",
  CP932: "ja",
  "EUC-JP": "ja",
  GB18030: "zh",
  Big5: "zh",
  CP949: "ko",
  MacRoman: "da de en es fr it nb nl pt sv",
  cp850: "da de en es fr it nb nl pt sv",
  "ISO-8859-2": "cs hr hu pl ro sk sl",
  cp852: "cs hr hu pl ro sk sl",
  "KOI8-R": "ru",
  IBM866: "be bg ru uk",
};

const encodingNames: readonly string[] = Object.keys(languages);

/** The encodings that a person can choose. */
export const chosenEncodings = ["UTF-8", ...encodingNames];

/** Encodings with letters of several bytes, in which false letters seldom look like errors of spelling. */
const MULTIBYTE = /^(CP932|EUC-JP|GB18030|Big5|CP949)$/;
/** Encodings that have become rare. */
const RARE = /^(MacRoman|cp85|KOI8|IBM)/;

const RARE_WEIGHT = 0.8;
const USUAL_WEIGHT = 1.3;
const LANGUAGE_WEIGHT = 2;
/** How much better than the next the best encoding has to be. */
const SURE = 1.5;
const SURE_OF_FEW = 2.2;
/** The same without the language, which is often not that of the file. */
const LEAD = { ofOne: 3, ofFew: 2.2, ofRare: 1.5, usual: 1.2 };
/** Fewer letters beyond ASCII are few. */
const FEW = 5;
/** The same for rare encodings and those of several bytes. */
const FEW_OF_OTHERS = 8;
/** The share of odd letters that a sure text has at most. */
const MAX_ODD = 1 / 8;
/** The confidence of the detector below which nothing is sure. */
const MIN_CONFIDENCE = 0.01;

/** What no language writes: letters of two scripts in a word, a mark over a letter that has one. */
const MIXED = [
  /\p{Script=Latin}(?=[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}])/gu,
  /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=\p{Script=Latin})/gu,
  /[\u00c0-\u024f]\p{M}/gu,
];
/** The same, and what a wrong encoding does beside it: capitals and symbols inside a word. */
const ODD = [
  ...MIXED,
  /\p{Ll}[\p{Lu}--\p{ASCII}]|\p{L}[\p{Lu}--\p{ASCII}]\p{Ll}/gv,
  /\p{L}[^\p{ASCII}\p{L}\p{M}\p{Nd}’·\u00ad](?=\p{L})/gu,
  /(?<!\p{L})[^\p{ASCII}\p{L}\p{M}\p{Nd}«“‘„‚¡¿€£¥–—•©](?=\p{L})/gu,
  /\p{L}[^\p{ASCII}\p{L}\p{M}\p{Nd}”’»…™®©²³°\u00a0](?!\p{L})/gu,
  /[\p{Cc}--[\t\r\n]]|[─-▟]/gv,
];
/** Letters of Icelandic and Faroese, which Turkish ğ and ş become in Windows-1252. */
const ICELANDIC = /[ðþÐÞ]/g;

interface Guess {
  name: string;
  text: string;
  /** Letters beyond ASCII, and those of them that are odd. */
  foreign: number;
  odd: number;
  confidence: number;
  /** How likely it is for a person of the language, and for anybody. */
  weight: number;
  bareWeight: number;
}

/**
 * The encodings that these lines may have, the best first. Others that give the same text are left out.
 *
 * @param language of the person, such as de or de-CH
 */
export function guessEncodings(lines: Buffer, language: string): { names: string[]; isSure: boolean } {
  const spoken = language.toLowerCase().split("-")[0]!;
  const guesses = detectAll(lines)
    .flatMap(({ encoding, confidence }): Guess[] => {
      const name = encodingNames.find((known) => known.toLowerCase() === encoding?.toLowerCase());
      const text = name === undefined ? "\ufffd" : iconv.decode(lines, name);
      return name === undefined || text.includes("\ufffd") ? [] : [weigh(name, text, confidence, spoken)];
    })
    .toSorted((one, other) => other.weight - one.weight);
  const [best, ...others] = guesses.filter(
    ({ text }, index) => guesses.findIndex((guess) => guess.text === text) === index,
  );
  if (!best) return { names: [encodingNames[0]!], isSure: false };
  return { names: [best, ...others.slice(0, 2)].map(({ name }) => name), isSure: isSure(best, others) };
}

function weigh(name: string, text: string, confidence: number, language: string): Guess {
  const foreign = countOf(text, /\P{ASCII}/gu);
  const icelandic = name === "Windows-1252" && !["is", "fo"].includes(language) ? countOf(text, ICELANDIC) : 0;
  const odd = ODD.reduce((sum, pattern) => sum + countOf(text, pattern), icelandic);
  const usual = name === encodingNames[0] ? USUAL_WEIGHT : RARE.test(name) ? RARE_WEIGHT : 1;
  const share = MULTIBYTE.test(name) ? 0 : odd / foreign;
  const bareWeight = confidence * usual * Math.max(0.02, 1 - 3 * share);
  const isOfLanguage = languages[name]!.split(" ").includes(language);
  return {
    name,
    text,
    foreign,
    odd,
    confidence,
    weight: bareWeight * (isOfLanguage ? LANGUAGE_WEIGHT : 1),
    bareWeight,
  };
}

function isSure({ name, foreign, odd, confidence, weight, bareWeight }: Guess, others: readonly Guess[]): boolean {
  const isOther = MULTIBYTE.test(name) || RARE.test(name);
  const isFew = foreign < (isOther ? FEW_OF_OTHERS : FEW);
  if (confidence < MIN_CONFIDENCE || odd > MAX_ODD * foreign || (isFew && isOther && others.length > 0)) return false;
  const lead = foreign === 1 ? LEAD.ofOne : isFew ? LEAD.ofFew : RARE.test(name) ? LEAD.ofRare : LEAD.usual;
  const sure = isFew ? SURE_OF_FEW : SURE;
  return others.every((other) => weight >= sure * other.weight && bareWeight >= lead * other.bareWeight);
}

/** Returns true for a short text of another encoding that happens to be valid UTF-8. */
export function isMixedUnicode(lines: Buffer): boolean {
  const text = lines.toString();
  return countOf(text, /\P{ASCII}/gu) < FEW_OF_OTHERS && MIXED.some((pattern) => countOf(text, pattern) > 0);
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
