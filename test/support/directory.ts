import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";

/** Creates a directory inside the run's directory, which is removed at the end. */
export const makeDirectory = () => mkdtemp(join(process.env.TEST_DIRECTORY!, "made-"));
