import { expect } from "chai";
import { EndpointRun, type EndpointRunOptions } from "../../src/jobs/sending/endpoint-run.ts";

/** A run at a disabled endpoint, where nothing is due but what is failed instead. */
function runAt(failMissed: EndpointRunOptions["failMissed"]) {
  const reads: number[] = [];
  const never = () => Promise.reject(new Error("Nothing is due"));
  const run = new EndpointRun({
    read: ({ places }) => {
      reads.push(places);
      return Promise.resolve({ deliveries: [], isMissed: true });
    },
    failMissed,
    attempt: never,
    record: never,
    postpone: never,
    isOver: () => false,
    isCrowded: () => false,
  });
  return { run, reads };
}

describe("A run at an endpoint", () => {
  it("reads again when it is asked while it fails what the endpoint missed", async () => {
    const { run, reads } = runAt(async () => {
      await Promise.resolve();
      if (reads.length === 1) run.ask();
      return false;
    });
    await run.sendAll();
    expect(reads).to.have.length(2);
  });

  it("knows after its last look that it was asked meanwhile", async () => {
    const { run, reads } = runAt(async () => {
      await Promise.resolve();
      if (reads.length === 2) run.ask();
      return false;
    });
    await run.sendAll();
    await run.lookAgain();
    expect(run.mayBeMore).to.equal(true);
  });
});
