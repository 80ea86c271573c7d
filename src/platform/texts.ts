/** Trims white space and characters that are not displayed, such as U+200B. Pasted text often has them around it. */
export function trimInvisible(text: string): string {
  // The look-behind keeps the time linear.
  return text.replace(
    /^[\s\p{Default_Ignorable_Code_Point}]+|(?<![\s\p{Default_Ignorable_Code_Point}])[\s\p{Default_Ignorable_Code_Point}]+$/gu,
    "",
  );
}

/** Control characters, line breaks, and the embeddings, overrides and isolates that reorder the text around them. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns true for text that stays in its line, in a mail, a header or a log. */
export function isOneLine(text: string): boolean {
  return text.search(UNFIT) < 0;
}

/** The text in one line. */
export function oneLine(text: string): string {
  return text.replace(UNFIT, " ");
}

/** The beginning of a text, of at most `max` UTF-16 code units. Never ends within a character. */
export function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}
