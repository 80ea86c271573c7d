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

/** Characters of an attribute: the longest statement has some more. */
const MAX_LENGTH = 2_048;
/** The time that one export may take, with its retries, and so the end of the process. Milliseconds. */
const PATIENCE = 3_000;

/**
 * Sends traces by OTLP over HTTP, in JSON, to where OpenTelemetry's own variables say, from now until it is stopped.
 *
 * @param ratio the part of traces that is recorded
 */
export function startTracing(ratio: number, logger: Logger): () => Promise<void> {
  const exporter = tellingExporter(new OTLPTraceExporter({ timeoutMillis: PATIENCE }), logger);
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
    // Spans that could not be sent are lost, as the log has told.
    await provider.shutdown().catch(() => undefined);
  };
}

/**
 * Goes by the trace's id alone, and not by what a caller has decided: anybody may be one. Processes with the same ratio
 * record the same traces.
 */
function sampleByTrace(ratio: number): ParentBasedSampler {
  const sampler = new TraceIdRatioBasedSampler(ratio);
  return new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler, remoteParentNotSampled: sampler });
}

/** Below its cause, or below the span that is under way when both are of one trace; otherwise it is linked to that. */
function placeOf({ cause }: SpanStart, active: Span | undefined): { parent: Span | undefined; links: Link[] } {
  const remote = cause ? parseTraceParent(cause) : null;
  if (!remote || remote.traceId === active?.spanContext().traceId) return { parent: active, links: [] };
  const links = active ? [{ context: active.spanContext() }] : [];
  return { parent: trace.wrapSpanContext({ ...remote, isRemote: true }), links };
}

/** Names the kind of the failure: messages may hold what is nobody's business. */
const fail: Tracing["fail"] = (span, error) => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  span.setAttribute("error.type", String(code ?? name));
  span.setStatus({ code: SpanStatusCode.ERROR });
};

const traceParentOf: Tracing["traceParentOf"] = (span) => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
};

/** Logs once that traces cannot be sent, and once that they can be again. */
function tellingExporter(exporter: OTLPTraceExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  // Spans are sent while something else is under way, which the log is not to name.
  const outside = AsyncLocalStorage.snapshot();
  const note = ({ code, error }: ExportResult) => {
    const hasFailed = code !== ExportResultCode.SUCCESS;
    if (hasFailed && !isFailing) logger.warn({ err: error }, "traces cannot be sent and are lost");
    if (!hasFailed && isFailing) logger.warn("traces are sent again");
    isFailing = hasFailed;
  };
  return {
    export: (spans, done) =>
      outside(() =>
        exporter.export(spans, (result) => {
          note(result);
          done(result);
        }),
      ),
    shutdown: () => exporter.shutdown(),
  };
}
