/** Texts that the reference's script shows. All other texts come from the server. */
export const copy = {
  copied: "Copied",
  copyFailed: "Can’t copy",
  found: (count: number) => (count === 0 ? "No results" : count === 1 ? "1 result" : `${count} results`),
  unreachable: "Can’t reach the server",
  milliseconds: (count: number) => `${count} ms`,
};
