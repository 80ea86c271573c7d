import { expect } from "chai";
import { Shares } from "../../src/platform/fairness/shares.ts";
import type { Party } from "../../src/platform/fairness/visit.ts";

const MOST = 200;
const MOST_EACH = 60;

describe("Shares of what may be under way", () => {
  let shares: Shares;

  beforeEach("take nothing", () => {
    shares = new Shares({ most: MOST, mostEach: MOST_EACH });
  });

  /** Lets parties take all they can get, in turns. Returns what each got. */
  function fill(parties: Party[]): number[] {
    const counts = parties.map(() => 0);
    for (let taken = -1; taken < shares.total;) {
      taken = shares.total;
      for (const [index, party] of parties.entries()) {
        if (!shares.hasRoom({ ...party, weight: 1 })) continue;
        shares.add({ ...party, weight: 1 });
        counts[index]! += 1;
      }
    }
    return counts;
  }

  const tenants = (count: number) => Array.from({ length: count }, (_, index) => ({ tenant: `shop ${index}` }));
  const networks = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ tenant: "strangers", network: `network ${index}` }));

  it("are three of ten for one tenant", () => {
    expect(fill(tenants(1))).to.deep.equal([60]);
  });

  it("leave as much as each has for a tenant more", () => {
    expect(fill(tenants(4))).to.deep.equal([40, 40, 40, 40]);
    expect(shares.hasRoom({ tenant: "late", weight: 20 })).to.equal(true);
    expect(shares.hasRoom({ tenant: "late", weight: 41 })).to.equal(false);
  });

  it("leave something for a tenant more, however many there are", () => {
    fill(tenants(100));
    expect(shares.hasRoom({ tenant: "late", weight: 1 })).to.equal(true);
  });

  it("are half of their tenant's for one network, and less for each of several", () => {
    expect(fill(networks(1))).to.deep.equal([30]);
    expect(fill([{ tenant: "strangers", network: "late" }])).to.deep.equal([15]);
  });

  it("are the same for others, however many networks a tenant has", () => {
    fill(networks(100));
    expect(shares.total).to.be.at.most(MOST_EACH);
    expect(fill([{ tenant: "shop" }])).to.deep.equal([60]);
  });

  it("come back", () => {
    fill(networks(1));
    for (const party of networks(1)) shares.add({ ...party, weight: -30 });
    expect(shares.total).to.equal(0);
    expect(fill(networks(1))).to.deep.equal([30]);
  });
});
