import { expect } from "chai";
import { currencyDecimals, decimalOf, fitsCurrency, sum } from "../../src/platform/money.ts";

describe("Money", () => {
  it("has the decimals of its currency", () => {
    const places = { EUR: 2, USD: 2, JPY: 0, KRW: 0, KWD: 3, BHD: 3 };
    for (const [currency, decimals] of Object.entries(places)) {
      expect(currencyDecimals(currency), currency).to.equal(decimals);
    }
  });

  it("fits its currency when it has no more decimals, zeros aside", () => {
    for (const [amount, currency, fits] of [
      ["19.99", "EUR", true],
      ["19.990", "EUR", true],
      ["19.999", "EUR", false],
      ["0.0000001", "EUR", false],
      ["-0.01", "EUR", true],
      ["-0.001", "EUR", false],
      ["100", "JPY", true],
      ["100.0", "JPY", true],
      ["100.5", "JPY", false],
      ["1.255", "KWD", true],
      ["1.2555", "KWD", false],
    ] as const) {
      expect(fitsCurrency(amount, currency), `${amount} ${currency}`).to.equal(fits);
    }
  });

  it("adds up exactly", () => {
    expect(sum([])).to.equal("0");
    expect(sum(["0.1", "0.2"])).to.equal("0.3");
    expect(sum(["99999999.99", "0.01", "-100000000"])).to.equal("0");
    expect(sum(Array.from({ length: 1_000 }, () => "0.01"))).to.equal("10");
    expect(sum(["12345678901234.5678", "0.0001"])).to.equal("12345678901234.5679");
  });

  it("is the decimal that a JSON number was written as", () => {
    for (const [number, decimal] of [
      [0.1, "0.1"],
      [19.99, "19.99"],
      [1e21, "1000000000000000000000"],
      [1e-7, "0.0000001"],
      [99_999_999.99, "99999999.99"],
      [-0, "0"],
    ] as const) {
      expect(decimalOf(number), String(number)).to.equal(decimal);
    }
  });
});
