/** Trims white space and characters that are not displayed, such as U+200B. Pasted text often has them around it. */
export function trimInvisible(text: string): string {
  // The look-behind keeps the time linear.
  return text.replace(
    /^[\s\p{Default_Ignorable_Code_Point}]+|(?<![\s\p{Default_Ignorable_Code_Point}])[\s\p{Default_Ignorable_Code_Point}]+$/gu,
    "",
  );
}
