import { expect } from "chai";
import { isLoopbackAddress, isPublicAddress } from "../../src/platform/public-address.ts";
import { privateAddresses, publicAddresses } from "../support/webhooks/addresses.ts";

describe("A public address", () => {
  for (const address of publicAddresses) {
    it(`includes ${address}`, () => {
      expect(isPublicAddress(address)).to.equal(true);
    });
  }

  for (const address of privateAddresses) {
    it(`excludes ${address}`, () => {
      expect(isPublicAddress(address)).to.equal(false);
    });
  }

  for (const text of [
    "",
    "receiver.example",
    "1.2.3",
    "0x7f.1",
    "01.2.3.4",
    "2001:4860::1%eth0",
    "[2606:4700::1]",
    "1.1.1.1:80",
    " 1.1.1.1",
    "1.1.1.1\n",
  ]) {
    it(`excludes ${JSON.stringify(text)}, which is no address`, () => {
      expect(isPublicAddress(text)).to.equal(false);
      expect(isLoopbackAddress(text)).to.equal(false);
    });
  }
});

describe("A loopback address", () => {
  it("is in 127.0.0.0/8 or ::1, not a representation of one", () => {
    for (const address of ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"]) {
      expect(isLoopbackAddress(address), address).to.equal(true);
    }
    for (const address of ["128.0.0.0", "::", "::2", "0.0.0.0", "::ffff:127.0.0.1", "::127.0.0.1", "::1%lo"]) {
      expect(isLoopbackAddress(address), address).to.equal(false);
    }
  });
});
