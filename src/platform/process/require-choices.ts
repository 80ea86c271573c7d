import { OperatorError } from "../errors.ts";

/** Refuses unknown values of an option, and names them. @throws OperatorError */
export function requireChoices<Choice extends string>(
  option: string,
  given: readonly string[],
  choices: readonly Choice[],
): asserts given is readonly Choice[] {
  const unknown = given.filter((value) => !choices.includes(value as Choice));
  if (unknown.length === 0) return;
  const named = unknown.map((value) => JSON.stringify(value)).join(", ");
  throw new OperatorError(
    `${option}: ${named} ${unknown.length === 1 ? "is not one of" : "are not among"} ${choices.join(", ")}`,
  );
}
