import type { ConnectTarget } from "./connect-target.ts";
import { Connection } from "./connection.ts";

/**
 * Connections to any number of origins, each for one exchange at a time. There is no limit of them for an origin, where
 * one endpoint could make another of the same host wait and time out: there are as many as attempts at a time. The one that was given back last is taken first, so that no more are kept than are of use.
 */
export class ConnectionPool {
  readonly #connectTarget: ConnectTarget;
  readonly #taken = new Set<Connection>();
  /** By origin. */
  readonly #idle = new Map<string, Connection[]>();
  #isClosed = false;

  constructor(connectTarget: ConnectTarget) {
    this.#connectTarget = connectTarget;
  }

  /** One that is open, if there is one, or a new one. */
  take(origin: string): Connection {
    const connection = this.#idle.get(origin)?.at(-1);
    if (!connection) return this.takeNew(origin);
    this.#forget(connection);
    this.#taken.add(connection);
    return connection;
  }

  /** @throws Error after `close` */
  takeNew(origin: string): Connection {
    if (this.#isClosed) throw new Error("The connections are closed");
    const connection = new Connection(origin, this.#connectTarget);
    connection.on("disconnect", () => this.#forget(connection));
    this.#taken.add(connection);
    return connection;
  }

  /** Its exchange has ended; if that broke it, or left something on its way, it is closed. */
  giveBack(connection: Connection, { isUsable }: { isUsable: boolean }): void {
    this.#taken.delete(connection);
    if (!isUsable || !connection.isOpen) return void connection.destroy();
    const idle = this.#idle.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idle.set(connection.origin, [connection]);
  }

  /** Lets exchanges end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#taken, ...[...this.#idle.values()].flat()];
    await Promise.all(all.map((connection) => connection.close()));
  }

  /** It is no longer idle. */
  #forget(connection: Connection): void {
    const { origin } = connection;
    const idle = this.#idle.get(origin);
    const index = idle?.lastIndexOf(connection) ?? -1;
    if (index === -1) return;
    idle!.splice(index, 1);
    if (idle!.length === 0) this.#idle.delete(origin);
  }
}
