import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";

/** Makes a directory inside that of the run, which is removed at its end. */
export const makeDirectory = () => mkdtemp(join(process.env.TEST_DIRECTORY!, "made-"));
