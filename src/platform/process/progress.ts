/** Reports a command's progress on standard error. */
export function progress(message: string): void {
  console.error(`› ${message}`);
}
