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
/** How much better than the next the best encoding has to be, and with few letters. */
const SURE = { usual: 1.5, few: 2 };
const FEW = 4;

/** What no language writes, and a wrong encoding does: letters of two scripts in a word, capitals and symbols inside. */
const ODD = [
  /\p{Script=Latin}(?=[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}])/gu,
  /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=\p{Script=Latin})/gu,
  /\p{Ll}[\p{Lu}--\p{ASCII}]|\p{L}[\p{Lu}--\p{ASCII}]\p{Ll}/gv,
  /\p{L}[^\p{ASCII}\p{L}\p{M}\p{N}’·\u00ad](?=\p{L})/gu,
  /(?<!\p{L})[^\p{ASCII}\p{L}\p{M}\p{N}«“‘„‚¡¿€£¥–—•©](?=\p{L})/gu,
  /\p{L}[^\p{ASCII}\p{L}\p{M}\p{N}”’»…™®©²³°\u00a0](?!\p{L})/gu,
  /[\p{Cc}--[\t\r\n]]|[─-▟]/gv,
];

interface Guess {
  name: string;
  text: string;
  weight: number;
}

/**
 * The encodings that these lines may have, the best first. Others that give the same text are left out.
 *
 * @param language of the person, such as de or de-CH
 */
export function guessEncodings(lines: Buffer, language = ""): { names: string[]; isSure: boolean } {
  const guesses = detectAll(lines)
    .map(({ encoding, confidence }) => ({
      name: encodingNames.find((name) => name.toLowerCase() === encoding?.toLowerCase()),
      confidence,
    }))
    .flatMap(({ name, confidence }): Guess[] => {
      if (name === undefined) return [];
      const text = iconv.decode(lines, name);
      return text.includes("\ufffd") ? [] : [{ name, text, weight: confidence * weightOf(name, text, language) }];
    })
    .toSorted((one, other) => other.weight - one.weight);
  const [best, next, third] = guesses.filter(
    ({ text }, index) => guesses.findIndex((guess) => guess.text === text) === index,
  );
  if (!best) return { names: [encodingNames[0]!], isSure: true };
  const names = [best, next, third].flatMap((guess) => guess?.name ?? []);
  const sure = SURE[foreignOf(best.text).length < FEW ? "few" : "usual"];
  return { names, isSure: !next || best.weight >= sure * next.weight };
}

function weightOf(name: string, text: string, language: string): number {
  const odd = MULTIBYTE.test(name) ? 0 : ODD.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);
  const isOfLanguage = languages[name]!.split(" ").includes(language.toLowerCase().split("-")[0]!);
  const usual = name === encodingNames[0] ? USUAL_WEIGHT : RARE.test(name) ? RARE_WEIGHT : 1;
  return usual * (isOfLanguage ? LANGUAGE_WEIGHT : 1) * Math.max(0.02, 1 - (3 * odd) / foreignOf(text).length);
}

const foreignOf = (text: string) => text.match(/\P{ASCII}/gu) ?? [""];
