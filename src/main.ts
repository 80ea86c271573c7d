#!/usr/bin/env node
import { findNodeProblem } from "./node-version.ts";

// Everything else is imported after this check, because an older Node would fail to link it.
const problem = findNodeProblem(process.versions.node);
if (problem === undefined) {
  const { runProgram } = await import("./cli/program/program.ts");
  await runProgram();
} else {
  console.error(problem);
  process.exitCode = 1;
}
