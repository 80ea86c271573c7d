/** The owner to which the encrypted secret of an app is bound: it cannot be decrypted for another account. */
export function factorOwner(staffId: string): string {
  return `second-factor/${staffId}`;
}
