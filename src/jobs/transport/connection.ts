import type { Socket } from "node:net";
import { Client, type buildConnector, type Dispatcher } from "undici";
import { ErrorClass } from "../../core/model/webhooks/error-class.ts";
import type { ConnectTarget, ConnectTimings } from "./connect-target.ts";
import { ConnectFailure } from "./failures.ts";

/** The time that an idle connection stays open. Milliseconds. */
const KEEP_ALIVE = 10_000;
const MAX_HEADERS = 16 * 1024;
/**
 * The maximum number of bytes of an answer: more than its headers, the part of the body that is read, and buffers. It is
 * only reached by data that those limits do not count, such as chunk extensions or endless 1xx answers.
 */
const MAX_ANSWER = 160 * 1024;

/**
 * RFC 9110, section 15.2, requires clients to accept interim answers, even unexpected ones. Undici 8 does, but fails on
 * 100, so 100 is changed to 102.
 */
const CONTINUE = Buffer.from("HTTP/1.1 100");

/** A connection to an origin for one exchange at a time. It reconnects after a close. */
export class ReceiverConnection extends Client {
  private readonly state: { opened: ConnectTimings | null; socket: Socket | undefined; limit: number };

  constructor(
    readonly origin: string,
    connectTarget: ConnectTarget,
  ) {
    const state: ReceiverConnection["state"] = { opened: null, socket: undefined, limit: MAX_ANSWER };
    super(origin, {
      // HTTP/2 would add streams, pings and header tables for attackers to abuse.
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      maxHeaderSize: MAX_HEADERS,
      // The exchange has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_, callback) => {
        state.opened = { dns: null, connect: null, tls: null };
        void connectCallback(connectTarget(new URL(origin), state.opened).then(countBytes), callback);
      },
    });
    this.state = state;

    function countBytes(socket: Socket): Socket {
      Object.assign(state, { socket, limit: MAX_ANSWER });
      const read = socket.read.bind(socket);
      // Undici only reads with this function.
      socket.read = (size?: number) => {
        const chunk = read(size) as Buffer | null;
        if (chunk?.subarray(0, CONTINUE.length).equals(CONTINUE)) chunk.write("2", CONTINUE.length - 1);
        return chunk;
      };
      return socket.on("readable", () => {
        if (socket.bytesRead <= state.limit) return;
        socket.destroy(new ConnectFailure(ErrorClass.PROTOCOL, "The response is too long"));
      });
    }
  }

  get isOpen(): boolean {
    return this.state.socket?.destroyed === false;
  }

  /** True when the connection was open before the current exchange. */
  get isReused(): boolean {
    return this.state.opened === null;
  }

  /** Takes the timings of opening the connection for the current exchange. Null when it was open. */
  takeOpened(): ConnectTimings | null {
    const { opened } = this.state;
    this.state.opened = null;
    return opened;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.state.limit = (this.state.socket?.bytesRead ?? 0) + MAX_ANSWER;
    return super.dispatch(options, handler);
  }
}

async function connectCallback(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  try {
    callback(null, await opening);
  } catch (error) {
    callback(error as Error, null);
  }
}
