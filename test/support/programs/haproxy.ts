import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "../free-port.ts";
import { eventually } from "../eventually.ts";
import { makeDirectory } from "../directory.ts";

export const haproxy = [process.env.HAPROXY, "/usr/sbin/haproxy"].find(
  (path) => path !== undefined && existsSync(path),
);

export interface Proxy {
  url: string;
  /** Its log, with the reasons why it marks a server as down. */
  output: () => string;
  stop: () => Promise<void>;
}

/** HAProxy with the backend from docs/operations.md in front of these ports, without retries. */
export async function startHaproxy(ports: Record<string, number>): Promise<Proxy> {
  const port = await findFreePort();
  return run(await makeDirectory(), port, `${frontend(port)}\n${await readBackend(ports)}`);
}

export interface ProxyOfCells extends Proxy {
  /** The path of its admin socket. */
  socket: string;
}

/**
 * HAProxy with the configuration in deploy/haproxy, where the shop is in `cell-a`, in front of a port in each cell.
 * `timeouts` replace its own, such as `{ server: "1s" }`.
 */
export async function startDoor(
  shopId: string,
  ports: { a: number; b: number },
  timeouts: Record<string, string> = {},
): Promise<ProxyOfCells> {
  const directory = await makeDirectory();
  const port = await findFreePort();
  await writeFile(join(directory, "shops.map"), `${shopId} cell-a\n`);
  await writeFile(join(directory, "hosts.map"), `127.0.0.1 ${shopId}\n`);
  const adapt = async (name: string) =>
    (await readFile(join("deploy/haproxy", name), "utf8"))
      .replace(/\/etc\/haproxy|\/run\/haproxy/g, directory)
      .replace("bind :4000", `bind 127.0.0.1:${port}`)
      .replace(/timeout (\S+) \S+/g, (line, kind: string) =>
        timeouts[kind] ? `timeout ${kind} ${timeouts[kind]}` : line,
      )
      .replace(/^ *server .2 .*\n/gm, "")
      .replaceAll(
        /^( *server (.)1) \S+/gm,
        (_line, start: string, cell: "a" | "b") => `${start} 127.0.0.1:${ports[cell]}`,
      );
  await writeFile(join(directory, "hold.lua"), await adapt("hold.lua"));
  const proxy = await run(directory, port, await adapt("haproxy.cfg"));
  return { ...proxy, socket: join(directory, "admin.sock") };
}

async function run(directory: string, port: number, configuration: string): Promise<Proxy> {
  const file = join(directory, "haproxy.cfg");
  await writeFile(file, configuration);
  const child = spawn(haproxy!, ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => isReady(url), Boolean);
  return {
    url,
    output: () => output,
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const frontend = (port: number) => `
defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend test
  bind 127.0.0.1:${port}
  http-response set-header X-Served-By %s
  default_backend merchant-api
`;

async function readBackend(ports: Record<string, number>): Promise<string> {
  const page = await readFile("docs/operations.md", "utf8");
  const [, backend] = /```haproxy\n(.*?)```/s.exec(page)!;
  return backend!.replaceAll(
    /^( *server) (\w+) \S+/gm,
    (_line, server: string, name: string) => `${server} ${name} 127.0.0.1:${ports[name]}`,
  );
}
