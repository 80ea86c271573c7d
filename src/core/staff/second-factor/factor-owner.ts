/** The owner that the secret of an authenticator app is bound to: it does not open for another account. */
export function factorOwner(staffId: string): string {
  return `second-factor/${staffId}`;
}
