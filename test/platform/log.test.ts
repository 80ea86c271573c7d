import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, openSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openLog } from "../../src/platform/telemetry/logger.ts";
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
});
