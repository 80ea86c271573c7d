import type { ConnectTarget } from "./connect-target.ts";
import { ReceiverConnection } from "./connection.ts";

/**
 * A pool of connections by origin, each for one exchange at a time. The number per origin is not limited, because one
 * endpoint could then make another on the same host wait and time out. The connection used last is reused first, so the
 * others become idle and close.
 */
export class ConnectionPool {
  readonly #connectTarget: ConnectTarget;
  readonly #taken = new Set<ReceiverConnection>();
  /** By origin. */
  readonly #idle = new Map<string, ReceiverConnection[]>();
  #isClosed = false;

  constructor(connectTarget: ConnectTarget) {
    this.#connectTarget = connectTarget;
  }

  /** Returns an open connection, or a new one. */
  take(origin: string): ReceiverConnection {
    const connection = this.#idle.get(origin)?.at(-1);
    if (!connection) return this.takeNew(origin);
    this.#forget(connection);
    this.#taken.add(connection);
    return connection;
  }

  /** @throws Error after `close` */
  takeNew(origin: string): ReceiverConnection {
    if (this.#isClosed) throw new Error("The connections are closed");
    const connection = new ReceiverConnection(origin, this.#connectTarget);
    connection.on("disconnect", () => this.#forget(connection));
    this.#taken.add(connection);
    return connection;
  }

  /** Returns a connection after its exchange. It is closed if it is broken or has unread data. */
  giveBack(connection: ReceiverConnection, { isUsable }: { isUsable: boolean }): void {
    this.#taken.delete(connection);
    if (!isUsable || !connection.isOpen) return void connection.destroy();
    const idle = this.#idle.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idle.set(connection.origin, [connection]);
  }

  /** Waits for exchanges and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#taken, ...[...this.#idle.values()].flat()];
    await Promise.all(all.map((connection) => connection.close()));
  }

  /** Removes a connection from the idle ones. */
  #forget(connection: ReceiverConnection): void {
    const { origin } = connection;
    const idle = this.#idle.get(origin);
    const index = idle?.lastIndexOf(connection) ?? -1;
    if (index === -1) return;
    idle!.splice(index, 1);
    if (idle!.length === 0) this.#idle.delete(origin);
  }
}
