import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** The minimum accepted score of zxcvbn, from 0 to 4. It stands for a hundred million guesses. */
const LEAST_SCORE = 3;
/** The service's name and its parts. */
const SERVICE = ["merchant", "merchantapi", "merchant-api"];
/**
 * Limits on the judged characters and substitutions, such as 4 for a. Without them, judging some passwords blocks
 * everything else for a second; with them, the slowest known ones take 35 ms.
 */
const bounds = { maxLength: 64, l33tMaxSubstitutions: 10 };

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Returns true when a password is common or easy to guess: a common one twice or with a year, a row of keys, its
 * owner's address or the service's name, in any case.
 */
export async function isGuessable(password: string, email: string): Promise<boolean> {
  estimator ??= loadEstimator();
  const known = [email, ...email.split("@"), ...email.split(/[@.]/), ...SERVICE];
  return (await estimator).check(password.normalize("NFKC"), known).score < LEAST_SCORE;
}

/**
 * Loaded when the first password is set, because most processes set none and it takes a fifth of a second and 30 MB.
 */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, ...bounds });
}
