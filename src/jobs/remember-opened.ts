import type { Encryption } from "../platform/encryption.ts";

const MAX_REMEMBERED = 1_000;

/** Opens each sealed text once, not at every delivery to the same endpoint. */
export function rememberOpened(encryption: Pick<Encryption, "open">): Pick<Encryption, "open"> {
  const remembered = new Map<string, string>();
  return {
    open: (sealed, boundTo) => {
      const key = `${boundTo}\n${sealed}`;
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const opened = encryption.open(sealed, boundTo);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, opened);
      return opened;
    },
  };
}
