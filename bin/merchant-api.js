#!/usr/bin/env -S node --enable-source-maps
// The command that documents and messages name: `npm link` or a symbolic link puts it where a shell finds commands.
import { existsSync } from "node:fs";

const main = new URL("../dist/src/main.js", import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error("merchant-api is not built yet. Run: npm run build");
  process.exitCode = 1;
}
