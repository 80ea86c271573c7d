import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, openSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { expect } from "chai";
import { logRepeated, openLog, type Logger } from "../../src/platform/telemetry/logger.ts";
import { makeDirectory } from "../support/directory.ts";

const LINE = `${"x".repeat(1023)}\n`;
const LINES = 32 * 1024;

describe("The log", () => {
  it("drops lines beyond 16 MiB that nobody reads", async () => {
    const path = join(await makeDirectory(), "log");
    execFileSync("mkfifo", [path]);
    const log = openLog(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
    let dropped = 0;
    log.on("drop", () => (dropped += 1));
    for (let line = 0; line < LINES; line += 1) log.write(LINE);
    const reader = spawn("cat", [path], { stdio: "ignore" });
    log.end();
    await once(reader, "exit");
    expect(dropped).to.equal(LINES / 2);
  });

  it("has a failure that repeats once a second, with a count", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const lines: [fields: unknown, message: string][] = [];
      const logger = { error: (...line: (typeof lines)[number]) => void lines.push(line) } as unknown as Logger;
      for (const job of [1, 22, 333]) logRepeated(logger, "error", { job }, `Job ${job} failed`);
      mock.timers.tick(1_000);
      mock.timers.tick(1_000);
      logRepeated(logger, "error", { job: 4 }, "Job 4 failed");
      expect(lines).to.deep.equal([
        [{ job: 1 }, "Job 1 failed"],
        [{ job: 1, count: 2 }, "Job 1 failed"],
        [{ job: 4 }, "Job 4 failed"],
      ]);
    } finally {
      mock.timers.reset();
    }
  });
});
