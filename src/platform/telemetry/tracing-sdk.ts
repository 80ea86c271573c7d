import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Link, type Span } from "@opentelemetry/api";
import { ExportResultCode, parseTraceParent, type ExportResult } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "./logger.ts";
import { setTracing, type SpanStart, type Tracing } from "./tracing.ts";

/** Maximum length of an attribute. The longest statement is slightly longer. */
const MAX_LENGTH = 2_048;
/** The time-out of an export, retries included. It also bounds the end of the process. Milliseconds. */
const PATIENCE = 3_000;

/**
 * Sends traces as OTLP JSON over HTTP to the address in OpenTelemetry's own variables. Returns a function that stops
 * it.
 *
 * @param ratio the part of traces that is recorded
 */
export function startTracing(ratio: number, logger: Logger): () => Promise<void> {
  const exporter = logFailures(new OTLPTraceExporter({ timeoutMillis: PATIENCE }), logger);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "merchant-api" }).merge(
      detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
    ),
    sampler: sampleByTrace(ratio),
    spanLimits: { attributeValueLengthLimit: MAX_LENGTH },
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: PATIENCE })],
  });
  const tracer = provider.getTracer("merchant-api");
  setTracing({
    start: (start, active) => {
      const { name, kind, attributes } = start;
      const { parent, links } = placeOf(start, active);
      const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      return tracer.startSpan(name, { kind: SpanKind[kind ?? "INTERNAL"], attributes, links }, context);
    },
    fail,
    traceParentOf,
  });
  return async () => {
    setTracing(undefined);
    // Spans that cannot be sent are lost, which the log has reported.
    await provider.shutdown().catch(() => undefined);
  };
}

/**
 * Samples by trace id and ignores the client's decision, because any client could force it. Processes with the same
 * ratio record the same traces.
 */
function sampleByTrace(ratio: number): ParentBasedSampler {
  const sampler = new TraceIdRatioBasedSampler(ratio);
  return new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler, remoteParentNotSampled: sampler });
}

/**
 * The parent is the span's cause, or the active span when both are in one trace. Otherwise the active span becomes a
 * link.
 */
function placeOf({ cause }: SpanStart, active: Span | undefined): { parent: Span | undefined; links: Link[] } {
  const remote = cause ? parseTraceParent(cause) : null;
  if (!remote || remote.traceId === active?.spanContext().traceId) return { parent: active, links: [] };
  const links = active ? [{ context: active.spanContext() }] : [];
  return { parent: trace.wrapSpanContext({ ...remote, isRemote: true }), links };
}

/** Records only the kind of the failure, because messages may hold private data. */
const fail: Tracing["fail"] = (span, error) => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  span.setAttribute("error.type", String(code ?? name));
  span.setStatus({ code: SpanStatusCode.ERROR });
};

const traceParentOf: Tracing["traceParentOf"] = (span) => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
};

/** Wraps an exporter to log once when exports begin to fail, and once when they recover. */
function logFailures(exporter: OTLPTraceExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  // Exports run during unrelated requests. The ids of those must not be logged.
  const outside = AsyncLocalStorage.snapshot();
  const logChange = ({ code, error }: ExportResult) => {
    const hasFailed = code !== ExportResultCode.SUCCESS;
    if (hasFailed && !isFailing) logger.warn({ err: error }, "traces cannot be sent and are lost");
    if (!hasFailed && isFailing) logger.warn("traces are sent again");
    isFailing = hasFailed;
  };
  return {
    export: (spans, done) =>
      outside(() =>
        exporter.export(spans, (result) => {
          logChange(result);
          done(result);
        }),
      ),
    shutdown: () => exporter.shutdown(),
  };
}
