const ends: (() => Promise<void>)[] = [];

/** Does this at the end of the run, after the tests of all files. Not in processes of parallel runs, which mocha kills. */
export const atEnd = (end: () => Promise<void>) => void ends.push(end);

export async function endRun(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
