import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { generateSigningSecret } from "../core/webhooks/endpoints/signing-secrets.ts";
import { signDelivery } from "../core/webhooks/deliveries/delivery-headers.ts";
import { OperatorError } from "../platform/errors.ts";
import { readSecretFile } from "../platform/files.ts";
import { forwardDelivery, parseForwardAddress } from "./forward.ts";

/** The receiver under development, and the secret that it knows. */
export interface Forwarding {
  target: URL;
  secret: string;
}

/** Keeps the secret of the receiver between starts. @throws OperatorError */
export async function openForwarding(dataDir: string, forwardTo: string): Promise<Forwarding> {
  const target = parseForwardAddress(forwardTo);
  return { target, secret: await readSecretFile(join(dataDir, "listener-secret"), generateSigningSecret) };
}

/** Checks the signature of each delivery and prints it. With forwarding, it returns the other receiver's answer. */
export class Receiver {
  /** The endpoint's secret, once subscribed. Before that, no delivery is genuine. */
  secret: string | undefined;
  readonly #forwarding: Forwarding | undefined;
  readonly #server = createServer((request, response) => {
    this.#receive(request, response).catch((error: Error) => {
      console.log(`A delivery was interrupted: ${error.message}\n`);
      response.destroy();
    });
  });

  constructor(forwarding: Forwarding | undefined) {
    this.#forwarding = forwarding;
  }

  /**
   * Returns the address of the receiver.
   *
   * @throws OperatorError when the port is in use
   */
  async start(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (error: NodeJS.ErrnoException) => {
        const isInUse = error.code === "EADDRINUSE";
        reject(isInUse ? new OperatorError(`Port ${port} is already in use. Choose another one with --port.`) : error);
      });
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    const body = await readBody(request);
    const isGenuine = this.secret !== undefined && verify(body, headers["x-webhook-signature"], this.secret);
    print(body, isGenuine, headers);
    if (!isGenuine || !this.#forwarding) {
      response.writeHead(isGenuine ? 204 : 401).end();
      return;
    }
    const { target, secret } = this.#forwarding;
    const answer = await forwardDelivery(target, { headers: signAnew(headers, body, secret), body });
    console.log(`  ${headers["webhook-id"]} ${answer.summary}\n`);
    response.writeHead(answer.status, answer.headers).end();
  }
}

/** Signs the headers again with the secret that stays the same between starts. */
function signAnew(headers: IncomingHttpHeaders, body: Buffer, secret: string): IncomingHttpHeaders {
  const eventId = String(headers["webhook-id"]);
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const secrets = { active: secret, valid: [secret] };
  return { ...headers, ...signDelivery({ secrets, eventId, body: body.toString(), at }) };
}

function print(body: Buffer, isGenuine: boolean, headers: IncomingHttpHeaders): void {
  const verdict = isGenuine ? "signature verified" : "SIGNATURE DOES NOT MATCH";
  const kind = headers["x-webhook-test"] === "true" ? "  test event" : "";
  console.log(
    `${new Date().toISOString()}  ${headers["x-webhook-topic"]}  ${headers["webhook-id"]}  ${verdict}${kind}`,
  );
  console.log(`  ${body.toString()}\n`);
}

/** Verifies the signature as in the specification: in constant time, on the raw body. */
function verify(body: Buffer, header: string | string[] | undefined, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const actual = Buffer.from(String(header));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
