/** Tells whoever started the command what it is doing, beside what it prints. */
export function progress(message: string): void {
  console.error(`› ${message}`);
}
