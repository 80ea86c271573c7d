import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Finds a port for a server that stops and starts again. Systems give none of this range to outgoing connections, which
 * could take it meanwhile.
 */
export async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, 30_000);
  return (await isFree(port)) ? port : findFreePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
