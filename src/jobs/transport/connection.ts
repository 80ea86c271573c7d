import type { Socket } from "node:net";
import { Client, type buildConnector, type Dispatcher } from "undici";
import { ErrorClass } from "../../core/model/webhooks/error-class.ts";
import { ConnectFailure, type ConnectTarget, type ConnectTimings } from "./connect-target.ts";
import { InterimAnswers } from "./interim-answers.ts";

/** The time that an idle connection waits for the next delivery. Milliseconds. */
const KEEP_ALIVE = 10_000;
const MAX_HEADERS = 16 * 1024;
/**
 * The most bytes of one answer: more than its headers, the part of the body that is read, and what the buffers hold. Only
 * what the limits of those do not count comes to it, such as the extensions of a chunk, or 1xx answers without end.
 */
const MAX_ANSWER = 160 * 1024;

/** One connection to an origin, opened again when it was closed, for one exchange at a time. */
export class Connection extends Client {
  private readonly state: {
    opened: ConnectTimings | null;
    socket: Socket | undefined;
    limit: number;
    interim: InterimAnswers;
  };

  constructor(
    readonly origin: string,
    connectTarget: ConnectTarget,
  ) {
    const state: Connection["state"] = {
      opened: null,
      socket: undefined,
      limit: MAX_ANSWER,
      interim: new InterimAnswers(),
    };
    super(origin, {
      // An upgrade to HTTP/2 would bring streams, pings and header tables for an attacker to play with.
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      maxHeaderSize: MAX_HEADERS,
      // The exchange's deadline ends everything; these would only be more timers.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_, callback) => {
        state.opened = { dns: null, connect: null, tls: null };
        void hand(connectTarget(new URL(origin), state.opened).then(watch), callback);
      },
    });
    this.state = state;

    function watch(socket: Socket): Socket {
      Object.assign(state, { socket, limit: MAX_ANSWER });
      const read = socket.read.bind(socket);
      // Undici reads by this alone.
      socket.read = (size?: number) => {
        const chunk = read(size) as Buffer | null;
        if (chunk) state.interim.pass(chunk);
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

  /** True when it was open when the exchange on it began. */
  get isReused(): boolean {
    return this.state.opened === null;
  }

  /** The timings of opening it for the current exchange; null when it was open. */
  takeOpened(): ConnectTimings | null {
    const { opened } = this.state;
    this.state.opened = null;
    return opened;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.state.limit = (this.state.socket?.bytesRead ?? 0) + MAX_ANSWER;
    this.state.interim = new InterimAnswers();
    return super.dispatch(options, handler);
  }
}

async function hand(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  try {
    callback(null, await opening);
  } catch (error) {
    callback(error as Error, null);
  }
}
