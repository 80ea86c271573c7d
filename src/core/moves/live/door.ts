import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { OperatorError } from "../../../platform/errors.ts";
import { becomesTrue } from "../../../platform/recurring.ts";

/** The file of HAProxy's map with the backend of each shop, in its list of maps. */
const MAP = /\((\S*shops\.map)\)/;
/** The value for which deploy/haproxy/hold.lua holds requests. */
const MOVING = "moving";
/** The table with the number of requests that each shop's cell is answering. */
const TABLE = "door";
/** Longer ones only wait for events. Milliseconds. */
const PATIENCE = 1_000;

interface DoorOptions {
  /** The admin socket of each HAProxy: a path, or a host and port. */
  sockets: readonly string[];
  shopId: string;
  /** The backends of the source and the destination. */
  backends: { source: string; destination: string };
}

/** The proxies that know where a shop is. Without any, it does nothing. */
export class Door {
  readonly #options: DoorOptions;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  /** Makes the proxies hold the shop's requests, and waits until the cell has answered earlier ones. */
  async hold(): Promise<void> {
    await this.#set(MOVING);
    await becomesTrue(async () => (await this.#countPassed()) === 0, PATIENCE);
  }

  async sendTo(end: "source" | "destination"): Promise<void> {
    await this.#set(this.#options.backends[end]);
  }

  async #countPassed(): Promise<number> {
    const { sockets, shopId } = this.#options;
    const entries = await Promise.all(sockets.map((socket) => ask(socket, `show table ${TABLE} key ${shopId}`)));
    return entries.reduce((sum, entry) => sum + Number(/conn_cur=(\d+)/.exec(entry)?.[1] ?? 0), 0);
  }

  async #set(backend: string): Promise<void> {
    const { sockets, shopId } = this.#options;
    for (const socket of sockets) {
      const [, file] = MAP.exec(await ask(socket, "show map")) ?? [];
      if (file === undefined) throw new OperatorError(`HAProxy at ${socket} has no shops.map`);
      const isKnown = (await ask(socket, `set map ${file} ${shopId} ${backend}`)).trim() === "";
      const refusal = isKnown ? "" : (await ask(socket, `add map ${file} ${shopId} ${backend}`)).trim();
      if (refusal !== "") throw new OperatorError(`HAProxy at ${socket}: ${refusal}`);
    }
  }
}

/** Runs a command of HAProxy's runtime API, which answers and then closes the connection. */
async function ask(address: string, command: string): Promise<string> {
  const [, host, port] = /^([^/]*):(\d+)$/.exec(address) ?? [];
  const socket = host === undefined ? connect(address) : connect(Number(port), host);
  socket.setTimeout(2_000, () => socket.destroy(new Error("No answer")));
  socket.write(`${command}\n`);
  try {
    return await text(socket);
  } catch (error) {
    throw new OperatorError(`HAProxy at ${address}: ${(error as Error).message}`);
  }
}
