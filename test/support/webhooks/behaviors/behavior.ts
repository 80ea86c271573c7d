import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { setInterval as every, setTimeout as wait } from "node:timers/promises";
import { ErrorClass } from "../../../../src/core/model/webhooks/error-class.ts";

/** A behavior of a receiver, and the expected outcome of a delivery. */
export interface Behavior {
  status: number | null;
  errorClass: ErrorClass | null;
  /** The certificate of the receiver. Without one it uses plain http. */
  certificate?: "valid" | "self-signed" | "of a stranger" | "expired" | "of another host";
  /** The protocol of the URL, if the receiver uses another. */
  scheme?: "http" | "https";
  /** Called on connection, instead of reading a request. */
  connected?: (socket: Duplex) => unknown;
  /** Called after reading a request. `count` is 1 for the first request of the connection. */
  requested?: (socket: Duplex, count: number) => unknown;
  retryAfter?: string;
  body?: string;
  /** The headers of its answer, as logged. */
  headers?: [name: string, value: string][];
  /** The minimum duration of an attempt. Milliseconds. */
  atLeast?: number;
  /** The maximum that may be read, if the limits of headers and body do not apply. Bytes. */
  mostRead?: number;
}

/** The time-out of an attempt, minus the inaccuracy of timers. */
export const WHOLE_TIME = 9_900;

export function answer(status: number, headers: string[] = [], body = "ok"): string {
  const length = status === 204 || status === 304 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`HTTP/1.1 ${status} Status`, ...length, ...headers, "", length.length === 0 ? "" : body].join("\r\n");
}

export const OK = answer(200);

export const sends = (...parts: (string | Buffer)[]) => ({
  requested: (socket: Duplex) => parts.forEach((part) => socket.write(part)),
});
export const sendsAndCloses = (text: string | Buffer) => ({ requested: (socket: Duplex) => socket.end(text) });
export const sendsAndBreaks = (text: string) => ({
  requested: async (socket: Duplex) => {
    socket.write(text);
    await wait(50);
    reset(socket);
  },
});

/** Sends data repeatedly until the connection closes. */
export const drips = (start: string, again: string | Buffer, interval: number) => ({
  requested: async (socket: Duplex) => {
    socket.write(start);
    for await (const _ of every(interval)) {
      if (socket.destroyed) return;
      socket.write(again);
    }
  },
});

/** The same, as fast as the other side reads. */
export const floods = (start: string, again: Buffer) => ({
  requested: (socket: Duplex) => {
    const more = () => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on("drain", more);
    socket.write(start);
    more();
  },
});

export function reset(socket: Duplex): void {
  if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}

export const succeeds = (status: number) => ({ status, errorClass: null });
export const refuses = (status: number) => ({ status, errorClass: ErrorClass.HTTP_STATUS });
export const fails = (errorClass: ErrorClass, status: number | null = null) => ({ status, errorClass });
export const timesOut = (status: number | null = null) => ({
  ...fails(ErrorClass.TIMEOUT, status),
  atLeast: WHOLE_TIME,
});
