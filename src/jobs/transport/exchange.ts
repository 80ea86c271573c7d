import type { IncomingHttpHeaders } from "node:http";
import { errors, type Dispatcher } from "undici";
import type { LoggedHeader } from "../../core/model/webhooks/delivery-attempt.entity.ts";
import { ErrorClass } from "../../core/model/webhooks/error-class.ts";
import type { ConnectTimings } from "./connect-target.ts";
import type { ReceiverConnection } from "./connection.ts";
import { ConnectFailure, describeFailure, OwnFault } from "./failures.ts";
import { loggedHeaders, loggedText } from "./logged-answer.ts";

/**
 * A timer that fires this late may have run before received answers were read, so they are read first. Milliseconds.
 */
const LATE = 1_000;
/** The time in which a close of an idle connection crosses a request. Later, the receiver has read the request. Milliseconds. */
const CROSSING = 1_000;
const MAX_READ = 16 * 1024;
const MAX_LOGGED = 4 * 1024;

/** The outcome of an attempt. It succeeded if it has no error class. */
export interface AttemptOutcome {
  /** Null without an answer. May be set with any error class, because the answer's body may have failed. */
  status: number | null;
  errorClass: ErrorClass | null;
  /** A sentence for the receiver's staff, without codes, stacks or parts of the request. */
  error: string | null;
  /** The first 4 KiB of the answer as sent, not decompressed. Null without an answer. */
  responseBody: string | null;
  /** The first headers of the answer, with secrets masked. Null without an answer. */
  responseHeaders: LoggedHeader[] | null;
  /** True when a connection was open to send the request. */
  isSent: boolean;
  /** The Retry-After header as received. */
  retryAfter: string | null;
  /** Milliseconds. The phases of opening a connection are null when it was open or they were not reached. */
  timings: ConnectTimings & { firstByte: number | null; total: number };
}

type Failure = Pick<AttemptOutcome, "errorClass" | "error">;

/** One request and its answer. It reads no more than needed, and always settles by its deadline. */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly settled = Promise.withResolvers<AttemptOutcome>();
  /** Rejects only for faults of this process. */
  readonly outcome = this.settled.promise;
  /** True when a reused connection broke as the request was sent, before any part of the answer arrived. */
  isStale = false;
  /** True when the complete answer was received. */
  isWhole = false;

  private controller: Dispatcher.DispatchController | undefined;
  private timer: NodeJS.Timeout;
  private sentAt = 0;
  private readonly chunks: Buffer[] = [];
  private read = 0;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private responseHeaders: LoggedHeader[] | null = null;
  private firstByte: number | null = null;
  private isSettled = false;

  /** @param startedAt the start of the attempt by `performance.now()`, which may include an earlier exchange */
  constructor(
    private readonly connection: ReceiverConnection,
    private readonly startedAt: number,
    timeout: number,
  ) {
    const deadline = startedAt + timeout;
    this.timer = setTimeout(() => this.timeOut(deadline), Math.max(0, deadline - performance.now()));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.sentAt = performance.now();
    if (this.isSettled) controller.abort(new Error("Too late"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.firstByte = performance.now() - this.startedAt;
    this.status = status;
    // The first, if there are several.
    this.retryAfter = [headers["retry-after"]].flat()[0] ?? null;
    this.responseHeaders = loggedHeaders(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.read < MAX_LOGGED) this.chunks.push(chunk);
    this.read += chunk.length;
    if (this.read > MAX_READ) this.breakOff(this.verdict());
  }

  onResponseEnd(): void {
    this.isWhole = !this.isSettled;
    this.settle(this.verdict());
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    // For example, because we aborted.
    if (this.isSettled) return;
    if (isOurs(error)) {
      this.close();
      this.settled.reject(error);
    } else {
      const failure = failureOf(error);
      const isCrossing = this.connection.isReused && performance.now() - this.sentAt < CROSSING;
      this.isStale = isCrossing && this.status === null && failure.errorClass === ErrorClass.CONNECTION;
      this.settle(this.isRefused() ? this.verdict() : failure);
    }
  }

  private timeOut(deadline: number): void {
    const now = performance.now();
    if (now - deadline > LATE) {
      this.timer = setTimeout(() => this.timeOut(now + LATE), LATE);
      return;
    }
    const stage = this.status === null ? "No response" : "No end of the response";
    this.breakOff(this.isRefused() ? this.verdict() : failed(ErrorClass.TIMEOUT, `${stage} in time`));
  }

  /** True once the receiver has refused. The rest of the answer does not matter. */
  private isRefused(): boolean {
    return this.status !== null && this.verdict().errorClass !== null;
  }

  private verdict(): Failure {
    const isSuccess = this.status! >= 200 && this.status! < 300;
    return isSuccess ? failed(null, null) : failed(ErrorClass.HTTP_STATUS, `Responded with ${this.status}`);
  }

  /** Settles and closes the connection with its unread data. */
  private breakOff(failure: Failure): void {
    this.settle(failure);
    this.controller?.abort(new Error("Enough"));
  }

  private settle({ errorClass, error }: Failure): void {
    if (this.isSettled) return;
    this.close();
    const opened = this.connection.takeOpened() ?? { dns: null, connect: null, tls: null };
    this.settled.resolve({
      status: this.status,
      errorClass,
      error,
      responseBody: this.status === null ? null : loggedText(Buffer.concat(this.chunks), MAX_LOGGED),
      responseHeaders: this.responseHeaders,
      isSent: this.controller !== undefined,
      retryAfter: this.retryAfter,
      timings: { ...opened, firstByte: this.firstByte, total: performance.now() - this.startedAt },
    });
  }

  private close(): void {
    this.isSettled = true;
    clearTimeout(this.timer);
  }
}

function failed(errorClass: ErrorClass | null, error: string | null): Failure {
  return { errorClass, error };
}

function failureOf(error: Error): Failure {
  if (error instanceof ConnectFailure) return failed(error.errorClass, error.message);
  if (isProtocolError(error)) return failed(ErrorClass.PROTOCOL, describeFailure(error));
  const { code = "" } = error as NodeJS.ErrnoException;
  const isSecure = code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS");
  return failed(isSecure ? ErrorClass.TLS : ErrorClass.CONNECTION, describeFailure(error));
}

function isProtocolError(error: Error): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError ||
    // A status that undici does not expect, such as 000.
    (error as NodeJS.ErrnoException).code === "ERR_ASSERTION" ||
    // "bad response" and "bad upgrade": an unrequested answer.
    (error instanceof errors.SocketError && error.message.startsWith("bad "))
  );
}

function isOurs(error: Error): boolean {
  return (
    error instanceof OwnFault ||
    error instanceof errors.InvalidArgumentError ||
    error instanceof errors.ClientClosedError ||
    error instanceof errors.ClientDestroyedError
  );
}
