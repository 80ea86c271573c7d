import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** The least of zxcvbn's scores, 0 to 4, that is taken. It stands for a hundred million guesses. */
const LEAST_SCORE = 3;
/** The name of what the password is for, and its parts. */
const SERVICE = ["merchant", "merchantapi", "merchant-api"];
/**
 * Characters that are judged, and substitutions such as 4 for a that are looked behind. Without these bounds there are
 * passwords whose judgement holds up everything else for a second; with them the worst that we found take 35 ms.
 */
const bounds = { maxLength: 64, l33tMaxSubstitutions: 10 };

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Tells whether a password is common, or soon guessed: a common one twice or with a year, a row of keys, the address
 * of its owner, the name of the service. It is in whatever case.
 */
export async function isGuessable(password: string, email: string): Promise<boolean> {
  estimator ??= loadEstimator();
  const known = [email, ...email.split("@"), ...email.split(/[@.]/), ...SERVICE];
  return (await estimator).check(password.normalize("NFKC"), known).score < LEAST_SCORE;
}

/** Loaded by the first password that is set: most processes set none, and it takes a fifth of a second and 30 MB. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, ...bounds });
}
