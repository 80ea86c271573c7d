import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Span } from "@opentelemetry/api";

/** The beginning of a span. */
export interface SpanStart {
  name: string;
  /** A part of the work of its parent by default. */
  kind?: "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER";
  /** Nothing secret, and nothing about a person. */
  attributes?: Attributes;
  /** The `traceparent` of what it comes of, in another process or at another time. What is none is ignored. */
  cause?: string | null | undefined;
}

/** The part of OpenTelemetry that we use. Nothing of it is loaded unless traces are wanted. */
export interface Tracing {
  start: (start: SpanStart, active: Span | undefined) => Span;
  /** Marks a span as that of work that failed. */
  fail: (span: Span, error: unknown) => void;
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  traceParentOf: (span: Span) => string;
}

let tracing: Tracing | undefined;
const spans = new AsyncLocalStorage<Span>();

/** Traces what this process does from now on, or nothing. */
export function setTracing(implementation: Tracing | undefined): void {
  tracing = implementation;
}

/** Does the work in a span, below the one that is under way. */
export function traced<Result>(start: () => SpanStart, work: () => Promise<Result>): Promise<Result> {
  return tracing ? runTraced(tracing, start(), work) : work();
}

async function runTraced<Result>(by: Tracing, start: SpanStart, work: () => Promise<Result>): Promise<Result> {
  const span = by.start(start, spans.getStore());
  try {
    return await spans.run(span, work);
  } catch (error) {
    by.fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Sends something in a span of its own, as long as it is a part of what is traced. */
export function tracedCall<Result>(start: () => SpanStart, send: () => Promise<Result>): Promise<Result> {
  if (!activeSpan()?.isRecording()) return send();
  return traced(start, send);
}

/** The span that is under way. */
export function activeSpan(): Span | undefined {
  return tracing && spans.getStore();
}

/** Marks the span that is under way as that of work that failed. */
export function failSpan(reason: string): void {
  const span = activeSpan();
  if (span) tracing!.fail(span, { code: reason });
}

/** The `traceparent` for what the span under way causes. */
export function traceParent(): string | undefined {
  const span = activeSpan();
  return span && tracing!.traceParentOf(span);
}
