import { expect } from "chai";
import { Admission } from "../../src/core/access/admission.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";

const MIB = 1024 * 1024;
/** The most requests under way of one tenant where there are three connections. */
const MOST_EACH = 18;

/** Somebody whose credential does not matter. */
const nobody = { address: undefined, credential: undefined };

describe("A large answer", () => {
  const never = new Promise<void>(() => undefined);
  let admission: Admission;

  beforeEach("give each tenant one place", () => {
    admission = new Admission({ poolSize: 3, metrics: new Metrics() });
  });

  const ask = (tenant: string, mib: number, isSent: Promise<void>) =>
    admission
      .serve(async () => {
        admission.admit(nobody, tenant);
        await admission.begin();
        admission.weigh(mib * MIB);
      }, isSent)
      .then(
        () => "answered",
        ({ code }: { code: string }) => code,
      );

  it("counts for several requests until it is sent, of those that wait too", async () => {
    const sent = Promise.withResolvers<void>();
    const asked = [ask("wide", MOST_EACH, sent.promise), ask("wide", 0, never)];
    expect(await Promise.all(asked)).to.deep.equal(["answered", "UNAVAILABLE"]);
    expect(await ask("wide", 0, never)).to.equal("UNAVAILABLE");
    expect(await ask("other", 0, never)).to.equal("answered");
    sent.resolve();
    await sent.promise;
    expect(await ask("wide", 0, never)).to.equal("answered");
  });

  it("leaves room for others while it is not that large", async () => {
    const asked = [ask("wide", MOST_EACH - 3, never), ask("wide", 0, never)];
    expect(await Promise.all(asked)).to.deep.equal(["answered", "answered"]);
  });

  it("takes nothing of the share of others, however many there are", async () => {
    admission = new Admission({ poolSize: 10, metrics: new Metrics() });
    const all = Promise.withResolvers<void>();
    let begun = 0;
    const askBeside = () =>
      admission.serve(async () => {
        admission.admit(nobody, "wide");
        await admission.begin();
        begun += 1;
        if (begun === 3) all.resolve();
        await all.promise;
        admission.weigh(100 * MIB);
      }, never);
    await Promise.all([askBeside(), askBeside(), askBeside()]);
    const others = Array.from({ length: 60 }, () => ask("other", 0, never));
    expect(new Set(await Promise.all(others))).to.deep.equal(new Set(["answered"]));
  });
});
