import { expect } from "chai";
import { isDatabaseUnavailable } from "../../src/platform/errors.ts";

/** Errors of Citus, as a client of the coordinator gets them. */
const ofCluster: [code: string, message: string][] = [
  ["08006", "connection to the remote node postgres@127.0.0.1:5432 failed with the following error: timeout expired"],
  ["40P01", "canceling the transaction since it was involved in a distributed deadlock"],
  ["40001", "shard for the given value does not exist"],
  ["58030", "failed to COPY to shard 102033 on 127.0.0.1:5432"],
  ["XX000", "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally"],
  ["XX000", "failure on connection marked as essential: 127.0.0.1:5432"],
  ["XX000", "could not find valid entry for shard 102025"],
];

describe("Errors of a cluster", () => {
  for (const [code, message] of ofCluster) {
    it(`are temporary: ${code} ${message.split("\n")[0]}`, () => {
      expect(isDatabaseUnavailable(Object.assign(new Error(message), { code }))).to.equal(true);
    });
  }

  it("are not all temporary", () => {
    const error = Object.assign(new Error("complex joins are only supported when joined on distribution columns"), {
      code: "0A000",
    });
    expect(isDatabaseUnavailable(error)).to.equal(false);
  });
});
