import { answers } from "./answers.ts";
import type { Behaviour } from "./behaviour.ts";
import { failures } from "./failures.ts";

/** What receivers do, by name. */
export const behaviours: Record<string, Behaviour> = { ...answers, ...failures };
