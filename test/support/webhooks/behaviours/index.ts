import { answers } from "./answers.ts";
import type { Behaviour } from "./behaviour.ts";
import { failures } from "./failures.ts";

/** The behaviours of receivers, by name. */
export const behaviours: Record<string, Behaviour> = { ...answers, ...failures };
