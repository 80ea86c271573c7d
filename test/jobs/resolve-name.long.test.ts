import { expect } from "chai";
import { OwnFault } from "../../src/jobs/transport/failures.ts";
import { resolveName } from "../../src/jobs/transport/resolve-name.ts";
import { useNameServer } from "../support/webhooks/name-server.ts";

const ONE = [1, 1, 1, 1];
const TWO = [10, 0, 0, 1];
const SIX = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];

describe("DNS resolution", () => {
  const server = useNameServer({
    "both.example": { A: [ONE, TWO], AAAA: [SIX] },
    "four.example": { A: [ONE], AAAA: [] },
    "six.example": { A: [], AAAA: [SIX] },
    "none.example": { A: [], AAAA: [] },
    "half.example": { A: [ONE], AAAA: null },
    "mute.example": { A: null, AAAA: null },
    "untold.example": { A: [], AAAA: null },
    "unsaid.example": { A: null, AAAA: [] },
  });
  beforeEach(() => Object.assign(server, { asked: [], isSilent: false }));

  const resolve = (name: string) => resolveName(name, [server.address]);
  const failure = async (name: string) =>
    resolve(name).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );

  it("returns all addresses of both families, with one query for each", async () => {
    expect(await resolve("both.example")).to.deep.equal(["1.1.1.1", "10.0.0.1", "2606:4700::1111"]);
    expect(server.asked).to.have.members(["A both.example", "AAAA both.example"]);
  });

  it("accepts a name with one family only", async () => {
    expect(await resolve("four.example")).to.deep.equal(["1.1.1.1"]);
    expect(await resolve("six.example")).to.deep.equal(["2606:4700::1111"]);
  });

  it("fails for an unknown name, or one without addresses", async () => {
    expect(await failure("none.example")).to.equal("ENODATA");
    expect(await failure("absent.example")).to.equal("ENOTFOUND");
  });

  it("retries once, and then accepts one family", async () => {
    expect(await resolve("half.example")).to.deep.equal(["1.1.1.1"]);
    expect(server.asked).to.have.members(["A half.example", "AAAA half.example", "AAAA half.example"]);
  });

  it("fails when the name servers are silent about a name but answer for the root", async () => {
    expect(await failure("mute.example")).to.be.oneOf(["ETIMEOUT", "ECANCELLED"]);
    expect(server.asked).to.have.length(5);
  });

  it("fails as the name servers did when they answer for the family without addresses only", async () => {
    for (const name of ["untold.example", "unsaid.example"]) {
      expect(await failure(name), name).to.be.oneOf(["ETIMEOUT", "ECANCELLED"]);
    }
  });

  it("blames the worker when the name servers do not answer or are unreachable", async () => {
    server.isSilent = true;
    const fault = await resolve("both.example").catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(OwnFault);
    // Nothing listens there.
    const absent = await resolveName("both.example", ["127.0.0.1:1"]).catch((error: unknown) => error);
    expect(absent).to.be.instanceOf(OwnFault);
  });
});
