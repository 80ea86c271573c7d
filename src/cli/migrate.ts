import { runOnce } from "./run-once.ts";

export function migrate(): Promise<void> {
  return runOnce((app) => app.migrate());
}
