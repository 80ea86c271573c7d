import { execFileSync } from "node:child_process";

/** Returns true if a program can run with these flags, such as `--version`. */
export function isAtHand([command, ...flags]: string[]): boolean {
  try {
    execFileSync(command!, flags, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
