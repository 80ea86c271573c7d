// Builds the pages of Admin if their sources have changed.
import { existsSync, globSync, statSync } from "node:fs";

const root = new URL("../", import.meta.url);
const time = (path: string) => statSync(new URL(path, root)).mtimeMs;
const sources = globSync(["admin/**/*", "package-lock.json"], { cwd: root });

const BUILT = "dist/admin/index.html";
if (!existsSync(new URL(BUILT, root)) || sources.some((path) => time(path) > time(BUILT))) {
  const { build } = await import("vite");
  await build({ configFile: new URL("admin/vite.config.ts", root).pathname, logLevel: "warn" });
}
