import { availableParallelism } from "node:os";

export default {
  "node-option": ["import=tsx/esm"],
  require: ["test/support/hooks.ts"],
  timeout: 60_000,
  reporter: "dot",
  // The test files that run at once with --parallel: three on two processors, because tests wait a third of their time. At most
  // eight, because each process uses up to 35 of PostgreSQL's 300 connections.
  jobs: Math.min(Math.max(Math.ceil(availableParallelism() * 1.5), 2), 8),
};
