import { answers } from "./answers.ts";
import type { Behavior } from "./behavior.ts";
import { failures } from "./failures.ts";

/** The behaviors of receivers, by name. */
export const behaviors: Record<string, Behavior> = { ...answers, ...failures };
