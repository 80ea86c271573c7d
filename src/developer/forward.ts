import type { IncomingHttpHeaders } from "node:http";
import { request } from "undici";
import { OperatorError } from "../platform/errors.ts";

/** The time-out of a delivery (docs/webhooks.md). */
const TIMEOUT = 10_000;

/** The maximum number of bytes of an answer that are read. */
const MAX_ANSWER = 16_384;

/** Headers for receivers. Others belong to the connection. */
const FORWARDED = /^(?:content-type|user-agent|webhook-.*|x-webhook-.*)$/;

/** The answer to a forwarded delivery. */
export interface ForwardAnswer {
  status: number;
  headers: Record<string, string>;
  /** A line to print: the status and duration, or why there is no answer. */
  summary: string;
}

/** @throws OperatorError when deliveries cannot be forwarded to the address */
export function parseForwardAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new OperatorError("--forward-to must be a URL such as http://127.0.0.1:3000/hooks");
  }
  return url;
}

/** Forwards a delivery unchanged: the same bytes with the same signatures. */
export async function forwardDelivery(
  url: URL,
  delivery: { headers: IncomingHttpHeaders; body: Buffer },
  timeout = TIMEOUT,
): Promise<ForwardAnswer> {
  const headers = Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => FORWARDED.test(name)));
  const begun = performance.now();
  const describe = (what: string) => `forwarded to ${url}: ${what} after ${Math.round(performance.now() - begun)} ms`;
  const signal = AbortSignal.timeout(timeout);
  try {
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(url, {
      method: "POST",
      headers,
      body: delivery.body,
      signal,
    });
    await body.dump({ limit: MAX_ANSWER, signal });
    const retryAfter = answered["retry-after"];
    return {
      status: statusCode,
      headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
      summary: describe(`response ${statusCode}`),
    };
  } catch (error) {
    const { name, code = name } = error as NodeJS.ErrnoException;
    const isLate = name === "TimeoutError";
    return { status: isLate ? 504 : 502, headers: {}, summary: describe(isLate ? "NO RESPONSE" : `FAILED, ${code},`) };
  }
}
