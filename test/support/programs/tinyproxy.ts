import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "../directory.ts";

export const tinyproxy = [process.env.TINYPROXY, "/usr/bin/tinyproxy"].find(
  (path) => path !== undefined && existsSync(path),
);

/** Debian's forward proxy, which asks for a user and password. */
export async function startTinyproxy(port: number, credentials: string) {
  const file = join(await makeDirectory(), "tinyproxy.conf");
  await writeFile(file, `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nBasicAuth ${credentials}\n`);
  const child = spawn(tinyproxy!, ["-d", "-c", file], { stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  return {
    /** Its log. */
    output: () => output,
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
