export function perSecond(count: number, milliseconds: number): number {
  return (count / milliseconds) * 1_000;
}

/** The value at this quantile. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
