// Removes compiled migrations without a source, and builds the pages of Admin if their sources have changed.
import { existsSync, globSync, rmSync, statSync } from "node:fs";

const root = new URL("../", import.meta.url);
const time = (path: string) => statSync(new URL(path, root)).mtimeMs;
const sources = globSync(["admin/**/*", "package-lock.json"], { cwd: root });

// A checkout of another branch leaves them, and the program applies every migration in its folder.
for (const file of globSync("dist/migrations/*.js", { cwd: root })) {
  const source = file.replace(/^dist\/(.*)js$/, "$1ts");
  if (!existsSync(new URL(source, root))) rmSync(new URL(file, root));
}

const BUILT = "dist/admin/index.html";
if (!existsSync(new URL(BUILT, root)) || sources.some((path) => time(path) > time(BUILT))) {
  const { build } = await import("vite");
  await build({ configFile: new URL("admin/vite.config.ts", root).pathname, logLevel: "warn" });
}
