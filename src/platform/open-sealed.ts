import { keyNameOf, type Encryption } from "./encryption.ts";
import { OperatorError } from "./errors.ts";

/** Opens what is to be sealed anew. @throws OperatorError that names its owner, when it does not open */
export function openSealed(encryption: Encryption, sealed: string, owner: string): string {
  try {
    return encryption.open(sealed, owner);
  } catch {
    throw new OperatorError(`The key ${keyNameOf(sealed)} cannot decrypt the secret of ${owner}`);
  }
}
