import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { ErrorClass } from "../../src/core/model/webhooks/error-class.ts";
import type { AttemptOutcome } from "../../src/jobs/transport/exchange.ts";
import { trustAlso } from "../../src/jobs/transport/connect-target.ts";
import { createTransport, type Transport } from "../../src/jobs/transport/create-transport.ts";
import { RECEIVER_HOST, useBehavingReceivers } from "../support/webhooks/behaving-receiver.ts";
import type { Behavior } from "../support/webhooks/behaviors/behavior.ts";
import { useForwardProxy } from "../support/webhooks/forward-proxy.ts";
import { behaviors } from "../support/webhooks/behaviors/index.ts";

const BODY = JSON.stringify({ id: "evt_1", topic: "product.created", data: { handle: "müg" } });
/** Ends after the time limit of an attempt that began with it, however slow the machine: timers end in order. Milliseconds. */
const LONGER = 10_500;
/** Headers, the part of the body that is read, and the chunk that went beyond. */
const MAX_READ = (16 + 16 + 64) * 1024;

/** Whether a proxy sends what they say together with its own answer, which would be a protocol error, is chance. */
const speakingFirst = new Set([
  "answers before it has read the request",
  "continues before it has read the request",
  "does not speak TLS where we do",
]);

interface Attempt {
  outcome: AttemptOutcome;
  took: number;
  connections: Socket[];
}

for (const way of ["to", "through a proxy to"]) {
  describe(`An attempt of a delivery ${way} a receiver that`, function () {
    this.timeout(20_000);
    describeAttempts(way === "to");
  });
}

function describeAttempts(isDirect: boolean): void {
  const receivers = useBehavingReceivers();
  const proxy = useForwardProxy();
  const secureContext = trustAlso([receivers.ca]);
  const attempts: Record<string, Promise<Attempt>> = {};
  const transports: Transport[] = [];

  // All at once, because many take as long as an attempt may.
  before(() => {
    for (const [name, behavior] of Object.entries(behaviors)) attempts[name] = attempt(behavior);
  });
  after(() => Promise.all(transports.map((transport) => transport.close())));

  async function attempt(behavior: Behavior): Promise<Attempt> {
    const url = await receivers.start(behavior);
    const connections: Socket[] = [];
    const transport = createTransport({
      allowLoopback: true,
      secureContext,
      proxy: isDirect ? undefined : proxy.url,
      lookup: async (name) => (name === RECEIVER_HOST ? ["127.0.0.1"] : []),
      connectSocket: (address) => {
        connections.push(connect(address));
        return connections.at(-1)!;
      },
    });
    transports.push(transport);
    const startedAt = performance.now();
    const outcome = await Promise.race([transport.post(url, {}, BODY), wait(LONGER)]);
    if (!outcome) throw new Error("It went on after its time was up");
    return { outcome, took: performance.now() - startedAt, connections };
  }

  for (const [name, behavior] of Object.entries(behaviors)) {
    if (!isDirect && speakingFirst.has(name)) continue;
    it(name, async () => {
      const { outcome, took, connections } = await attempts[name]!;
      const { status, errorClass, retryAfter = null } = behavior;
      expect({ ...outcome, took }).to.deep.include({ status, errorClass, retryAfter });
      expect(outcome.timings.total).to.be.within(behavior.atLeast ?? 0, took);
      if (behavior.body !== undefined) expect(outcome.responseBody).to.equal(behavior.body);
      expect(outcome.responseBody === null).to.equal(status === null);
      expect(Buffer.byteLength(outcome.responseBody ?? "")).to.be.at.most(4_096);
      if (behavior.headers !== undefined) expect(outcome.responseHeaders).to.deep.equal(behavior.headers);
      expect(outcome.responseHeaders === null).to.equal(status === null);
      if (status !== null) expect(outcome.isSent).to.equal(true);
      // With TLS there is no request before the handshake.
      const isSecure = errorClass !== ErrorClass.TLS && (behavior.scheme !== "https" || !!behavior.certificate);
      if (!isSecure) expect(outcome.isSent).to.equal(false);
      expect(outcome.error === null).to.equal(errorClass === null);
      // A sentence that staff understand, and no code of a library.
      if (outcome.error !== null) expect(outcome.error).to.match(/^[A-Z][\w/.,'-]*( [\w/.,'-]+)+$/);
      expect(outcome.error ?? "").not.to.match(/[A-Z]_[A-Z]|\bE[A-Z]{4}/);
      expect((outcome.error ?? "").length).to.be.lessThan(80);
      expect(connections).to.have.length(1);
      expect(connections[0]!.bytesRead).to.be.at.most(behavior.mostRead ?? MAX_READ);
    });
  }

  it("behaves in at least forty ways", () => {
    expect(Object.keys(behaviors)).to.have.length.at.least(40);
  });
}
