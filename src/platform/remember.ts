const MAX_REMEMBERED = 1_000;

/** Works out once what is asked again and again of the same texts. What fails is asked anew. */
export function remember<Texts extends string[], Result>(
  find: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  const remembered = new Map<string, Result>();
  return (...texts) => {
    const key = texts.join("\n");
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const found = find(...texts);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, found);
    return found;
  };
}

/** Asks at most once in so many milliseconds, and gives that answer to everybody. What fails is asked anew. */
export function rememberFor<Result>(milliseconds: number, find: () => Promise<Result>): () => Promise<Result> {
  let answer: Promise<Result> | undefined;
  const forget = () => {
    answer = undefined;
  };
  return () => {
    if (answer) return answer;
    answer = find();
    answer.then(() => setTimeout(forget, milliseconds).unref(), forget);
    return answer;
  };
}
