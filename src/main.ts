#!/usr/bin/env node
import { findNodeProblem } from "./node-version.ts";

// Everything else is imported after this check, because an older Node would fail to link it.
const problem = findNodeProblem(process.versions.node);
if (problem === undefined) {
  // Saves an eighth of the CPU of a start. Not in the directory for temporary files, where others could put code.
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(`${import.meta.dirname}/../.compile-cache`);
  const { runProgram } = await import("./cli/program/program.ts");
  await runProgram();
} else {
  console.error(problem);
  process.exitCode = 1;
}
