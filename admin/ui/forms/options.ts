/** Values to choose from, with their labels. */
export type Options<Value extends string> = readonly (readonly [Value, string])[];

/** The value if it is one of the options, otherwise undefined. Addresses can contain anything. */
export const oneOf = <Value extends string>(options: Options<Value>, value: string | undefined): Value | undefined =>
  options.find(([each]) => each === value)?.[0];

/** Options from labels by value, in their order. */
export const optionsOf = <Value extends string>(labels: Record<Value, string>): Options<Value> =>
  Object.entries<string>(labels).map(([value, label]) => [value as Value, label] as const);
