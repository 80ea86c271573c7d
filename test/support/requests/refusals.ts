import type { GraphqlAnswer } from "../graphql.ts";

/** The code of the answer's first error; undefined when it has none. */
export function codeOf({ errors }: GraphqlAnswer): string | undefined {
  return errors[0]?.extensions.code;
}

/** The invalid inputs in an answer, each as `path code`. */
export function issuesOf({ errors }: GraphqlAnswer): string[] {
  const { issues = [] } = (errors[0]?.extensions ?? {}) as { issues?: { path: string; code: string }[] };
  return issues.map(({ path, code }) => `${path} ${code}`);
}
