import { keyNameOf, type Encryption } from "./encryption.ts";
import { OperatorError } from "./errors.ts";

/**
 * Decrypts a secret that is about to be encrypted again. @throws OperatorError that names its owner when it cannot be
 * decrypted
 */
export function openSealed(encryption: Encryption, sealed: string, owner: string): string {
  try {
    return encryption.open(sealed, owner);
  } catch {
    throw new OperatorError(`The key ${keyNameOf(sealed)} cannot decrypt the secret of ${owner}`);
  }
}
