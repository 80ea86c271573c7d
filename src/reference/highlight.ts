const keywords = [
  ..."const await async export function return import from type if throw new".split(" "),
  ..."def with as for in not and or else try except raise None True False true false null".split(" "),
];

/** Enough for short samples in JSON, shells, TypeScript, Python and HTTP. */
const parts = new RegExp(
  [
    String.raw`(?<comment>/\*[\s\S]*?\*/|"""[\s\S]*?"""|(?<=^|\s)(?:#|//).*$)`,
    String.raw`(?<name>"[\w$-]+"(?=:))`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|${"`"}(?:[^${"`"}\\]|\\.)*${"`"})`,
    String.raw`(?<number>(?<![\w./:-])-?\d+(?:\.\d+)?(?![\w.-]))`,
    String.raw`(?<keyword>\b(?:${keywords.join("|")})\b)`,
  ].join("|"),
  "gm",
);

export interface Part {
  text: string;
  /** Undefined for text without a color. */
  kind: string | undefined;
}

/** Splits a sample into parts that get a color each. */
export function highlight(code: string): Part[] {
  const found: Part[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(parts)) {
    found.push({ text: code.slice(end, index), kind: undefined });
    found.push({ text, kind: Object.keys(groups).find((kind) => groups[kind] !== undefined) });
    end = index + text.length;
  }
  return [...found, { text: code.slice(end), kind: undefined }].filter(({ text }) => text !== "");
}
