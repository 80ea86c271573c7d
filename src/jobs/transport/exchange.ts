import type { IncomingHttpHeaders } from "node:http";
import { errors, type Dispatcher } from "undici";
import type { LoggedHeader } from "../../core/model/webhooks/delivery-attempt.entity.ts";
import { ErrorClass } from "../../core/model/webhooks/error-class.ts";
import { ConnectFailure, type ConnectTimings } from "./connect-target.ts";
import type { Connection } from "./connection.ts";
import { describeFailure } from "./failure-sentences.ts";
import { keepHeaders } from "./keep-headers.ts";
import { keepText } from "./keep-text.ts";
import { OwnFault } from "./own-fault.ts";

/** A timer that ends so much too late ran before the answers that came meanwhile: they are read first. Milliseconds. */
const LATE = 1_000;
const MAX_READ = 16 * 1024;
const MAX_KEPT = 4 * 1024;

/** The outcome of one attempt. Without an error class it succeeded. */
export interface AttemptOutcome {
  /** Null when no answer came. There may be one with every error class: what broke may be the answer's body. */
  status: number | null;
  errorClass: ErrorClass | null;
  /** A sentence for the receiver's staff: no code, no stack, and nothing of the request. */
  error: string | null;
  /** The first 4 KiB of the answer, as it was sent: not decompressed. Null when no answer came. */
  responseBody: string | null;
  /** The first of the answer's headers, with those masked that may hold a secret. Null when no answer came. */
  responseHeaders: LoggedHeader[] | null;
  /** True when there was a connection to send the request on. */
  isSent: boolean;
  /** The header as it came. */
  retryAfter: string | null;
  /** Milliseconds. What opening the connection took is null when it was open, or when it did not come to that. */
  timings: ConnectTimings & { firstByte: number | null; total: number };
}

type Failure = Pick<AttemptOutcome, "errorClass" | "error">;

/** One request and its answer. Reads no more of it than is of use, and settles by its deadline whatever happens. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Rejects only when the fault is ours. */
  readonly outcome: Promise<AttemptOutcome>;
  /** The connection had been open for some time, and broke before anything of the answer came. */
  isStale = false;
  /** The answer came to its end. */
  isWhole = false;

  private controller: Dispatcher.DispatchController | undefined;
  private timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private read = 0;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private responseHeaders: LoggedHeader[] | null = null;
  private firstByte: number | null = null;
  private isSettled = false;
  private resolve!: (outcome: AttemptOutcome) => void;
  private reject!: (error: Error) => void;

  /** @param startedAt by `performance.now()`, when the attempt began, which may have had an exchange before */
  constructor(
    private readonly connection: Connection,
    private readonly startedAt: number,
    timeout: number,
  ) {
    this.outcome = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    const deadline = startedAt + timeout;
    this.timer = setTimeout(() => this.timeOut(deadline), Math.max(0, deadline - performance.now()));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isSettled) controller.abort(new Error("Too late"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.firstByte = performance.now() - this.startedAt;
    this.status = status;
    // Of several the first.
    this.retryAfter = [headers["retry-after"]].flat()[0] ?? null;
    this.responseHeaders = keepHeaders(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.read < MAX_KEPT) this.chunks.push(chunk);
    this.read += chunk.length;
    if (this.read > MAX_READ) this.breakOff(this.verdict());
  }

  onResponseEnd(): void {
    this.isWhole = !this.isSettled;
    this.settle(this.verdict());
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    // Such as that we broke it off.
    if (this.isSettled) return;
    if (isOurs(error)) {
      this.close();
      this.reject(error);
    } else {
      const failure = failureOf(error);
      this.isStale = this.connection.isReused && this.status === null && failure.errorClass === ErrorClass.CONNECTION;
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

  /** True once the receiver has refused: the rest of that answer does not matter. */
  private isRefused(): boolean {
    return this.status !== null && this.verdict().errorClass !== null;
  }

  private verdict(): Failure {
    const isSuccess = this.status! >= 200 && this.status! < 300;
    return isSuccess ? failed(null, null) : failed(ErrorClass.HTTP_STATUS, `Responded with ${this.status}`);
  }

  /** Settles, and drops the connection with what is still on its way. */
  private breakOff(failure: Failure): void {
    this.settle(failure);
    this.controller?.abort(new Error("Enough"));
  }

  private settle({ errorClass, error }: Failure): void {
    if (this.isSettled) return;
    this.close();
    const opened = this.connection.takeOpened() ?? { dns: null, connect: null, tls: null };
    this.resolve({
      status: this.status,
      errorClass,
      error,
      responseBody: this.status === null ? null : keepText(Buffer.concat(this.chunks), MAX_KEPT),
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
    // "bad response" and "bad upgrade": an answer that nobody asked for.
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
