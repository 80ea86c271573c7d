import { expect } from "chai";
import { currencyDecimals } from "../../src/platform/currencies.ts";

describe("Currencies", () => {
  it("are those of ISO 4217 with a minor unit", () => {
    expect(currencyDecimals).to.have.property("size", 165);
    for (const code of currencyDecimals.keys()) expect(code).to.match(/^[A-Z]{3}$/);
    expect([...currencyDecimals.keys()]).to.include.members(["EUR", "ZWG", "XCG", "SLE", "VED", "MRU", "STN"]);
  });

  it("have the decimals of ISO 4217, even if ICU differs", () => {
    // Those of others are in the prices of POST /products.
    const places = { CLP: 0, UYI: 0, IQD: 3, UYW: 4, PKR: 2 };
    for (const [code, decimals] of Object.entries(places)) {
      expect(currencyDecimals.get(code), code).to.equal(decimals);
    }
  });

  it("exclude withdrawn codes and codes without a minor unit", () => {
    for (const code of ["HRK", "BGN", "ANG", "CUC", "SLL", "ZWL", "DEM", "XAU", "XDR", "XTS", "XXX", "eur", ""]) {
      expect(currencyDecimals.has(code), code).to.equal(false);
    }
  });
});
