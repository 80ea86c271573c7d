import { LRUCache } from "lru-cache";

const MAX_ENTRIES = 10_000;

/** Memoizes a function of strings. Errors are not cached. */
export function memoize<Texts extends string[], Result extends {}>(
  find: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  const cache = new LRUCache<string, Result>({ max: MAX_ENTRIES });
  return (...texts) => {
    const key = texts.join("\n");
    const found = cache.get(key) ?? find(...texts);
    cache.set(key, found);
    return found;
  };
}

/** Caches the result of an asynchronous function for some milliseconds. Concurrent calls share one run. Errors are not cached. */
export function memoizeFor<Result>(milliseconds: number, find: () => Promise<Result>): () => Promise<Result> {
  let answer: Promise<Result> | undefined;
  const clear = () => {
    answer = undefined;
  };
  return () => {
    if (answer) return answer;
    answer = find();
    answer.then(() => setTimeout(clear, milliseconds).unref(), clear);
    return answer;
  };
}
