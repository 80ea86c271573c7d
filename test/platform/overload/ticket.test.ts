import { expect } from "chai";
import { Counts } from "../../../src/platform/counts.ts";
import { Queue, Ticket } from "../../../src/platform/overload/permits.ts";

const MIB = 1024 * 1024;
const MOST = 60;

describe("A ticket", () => {
  const inFlight = new Counts();
  const sent = Promise.withResolvers<void>();
  const ticketOf = (name: string, queue = new Queue(10)) =>
    new Ticket({ name, source: name }, { queue, inFlight, mostEach: MOST, count: () => undefined }, sent.promise);

  it("counts an answer as one more request for each MiB until it is sent", async () => {
    const ticket = ticketOf("wide");
    ticket.countAnswer(MIB - 1);
    expect(inFlight.of("wide")).to.equal(0);
    ticket.countAnswer(20 * MIB);
    expect([inFlight.of("wide"), ticket.isOver]).to.deep.equal([20, false]);
    ticket.countAnswer(100 * MIB);
    // No more than one over its share: the rest is others'.
    expect([inFlight.of("wide"), ticket.isOver]).to.deep.equal([MOST + 1, true]);
    sent.resolve();
    await sent.promise;
    await Promise.resolve();
    expect(inFlight.total).to.equal(0);
  });

  it("returns its permit before it waits for several", async () => {
    const queue = new Queue(3);
    const ticket = ticketOf("costly", queue);
    await ticket.takePermits(1);
    await ticket.takePermits(3);
    expect(ticket.permits).to.equal(1);
    const other = ticketOf("costly", queue);
    const waiting = other.takePermits(1);
    ticket.giveBackPermits();
    ticket.giveBackPermits();
    await waiting;
    expect(other.permits).to.equal(1);
  });
});
