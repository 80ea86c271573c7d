import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { after, before } from "mocha";

/** A span in OTLP's JSON, with its attributes by name. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  links?: { traceId: string; spanId: string }[];
  status: { code: number };
  attributes: Record<string, unknown>;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Attributes of the sending processes. */
  resources: Record<string, unknown>[];
  /** The status of every answer from now on. */
  status: number;
}

type Attributes = { key: string; value: Record<string, unknown> }[];
type Export = {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: { spans: (Omit<ReceivedSpan, "attributes"> & { attributes: Attributes })[] }[];
  }[];
};

const byName = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Registers hooks that receive traces like a collector: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function useOtlpReceiver(): OtlpReceiver {
  const receiver: OtlpReceiver = { url: "", spans: [], resources: [], status: 200 };
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Export;
    if (request.url === "/v1/traces" && receiver.status === 200) {
      for (const { resource, scopeSpans } of resourceSpans) {
        receiver.resources.push(byName(resource.attributes));
        const spans = scopeSpans.flatMap((scope) => scope.spans);
        receiver.spans.push(...spans.map((span) => ({ ...span, attributes: byName(span.attributes) })));
      }
    }
    response.writeHead(receiver.status, { "content-type": "application/json" }).end("{}");
  });
  before("take traces", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after("take traces no more", () => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
