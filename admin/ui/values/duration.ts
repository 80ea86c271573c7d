const digits = [1, 0].map((maximumFractionDigits) => new Intl.NumberFormat(undefined, { maximumFractionDigits }));

/** Formats milliseconds, such as "3.2 ms", "120 ms" or "2.5 s". */
export function formatDuration(milliseconds: number): string {
  const [fine, coarse] = digits as [Intl.NumberFormat, Intl.NumberFormat];
  if (milliseconds >= 1_000) return `${fine.format(milliseconds / 1_000)} s`;
  return `${(milliseconds < 10 ? fine : coarse).format(milliseconds)} ms`;
}
