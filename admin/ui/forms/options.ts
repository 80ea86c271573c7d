/** Values to choose from, each with its name. */
export type Options<Value extends string> = readonly (readonly [Value, string])[];

/** The option of this value; undefined when there is none, as an address may ask for anything. */
export const oneOf = <Value extends string>(options: Options<Value>, value: string | undefined): Value | undefined =>
  options.find(([each]) => each === value)?.[0];
