#!/usr/bin/env node
import { findNodeProblem } from "./node-version.ts";

// All else is loaded after this: an older Node breaks off as it links it.
const problem = findNodeProblem(process.versions.node);
if (problem === undefined) {
  const { runProgram } = await import("./cli/program/program.ts");
  await runProgram();
} else {
  console.error(problem);
  process.exitCode = 1;
}
