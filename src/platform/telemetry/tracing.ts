import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Span } from "@opentelemetry/api";

/** How to start a span. */
export interface SpanStart {
  name: string;
  /** An internal part of its parent by default. */
  kind?: "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER";
  /** No secrets and no personal data. */
  attributes?: Attributes;
  /** The `traceparent` of its cause in another process or at an earlier time. Invalid values are ignored. */
  cause?: string | null | undefined;
}

/** The part of OpenTelemetry that is used. OpenTelemetry is loaded only when traces are sent. */
export interface Tracing {
  start: (start: SpanStart, active: Span | undefined) => Span;
  /** Marks a span as failed. */
  fail: (span: Span, error: unknown) => void;
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  traceParentOf: (span: Span) => string;
}

let tracing: Tracing | undefined;
const spans = new AsyncLocalStorage<Span>();

/** Starts tracing with an implementation, or stops it. */
export function setTracing(implementation: Tracing | undefined): void {
  tracing = implementation;
}

/** Runs the work in a span below the active one. */
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

/** Runs a call in its own span if the active span is recorded. */
export function tracedCall<Result>(start: () => SpanStart, send: () => Promise<Result>): Promise<Result> {
  if (!activeSpan()?.isRecording()) return send();
  return traced(start, send);
}

/** The active span. */
export function activeSpan(): Span | undefined {
  return tracing && spans.getStore();
}

/** Marks the active span as failed. */
export function failSpan(reason: string): void {
  const span = activeSpan();
  if (span) tracing!.fail(span, { code: reason });
}

/** The `traceparent` of the active span, to pass on. */
export function traceParent(): string | undefined {
  const span = activeSpan();
  return span && tracing!.traceParentOf(span);
}
