import { expect } from "chai";
import { Big, decimalOf, fitsCurrency, largestAmount, sum } from "../../src/platform/money.ts";
import { currencyOf } from "../support/currency.ts";

describe("Money", () => {
  it("fits its currency without more decimals, except zeros", () => {
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
      ["12.50", "HUF", true],
      ["0.0001", "CLF", true],
    ] as const) {
      expect(fitsCurrency(amount, currencyOf(currency)), `${amount} ${currency}`).to.equal(fits);
    }
  });

  it("adds up exactly", () => {
    expect(sum([])).to.equal("0");
    expect(sum(["0.1", "0.2"])).to.equal("0.3");
    expect(sum(["99999999.99", "0.01", "-100000000"])).to.equal("0");
    expect(sum(Array.from({ length: 1_000 }, () => "0.01"))).to.equal("10");
    expect(sum(["12345678901234.5678", "0.0001"])).to.equal("12345678901234.5679");
  });

  it("has at most 12 digits before the decimal point, and 15 in total", () => {
    const largest = ["JPY", "HUF", "KWD", "CLF"].map((code) => largestAmount(currencyOf(code)));
    expect(largest).to.deep.equal(["999999999999", "999999999999.99", "999999999999.999", "99999999999.9999"]);
  });

  it("is exact in JSON up to the largest amount of its currency", () => {
    for (const code of ["JPY", "HUF", "KWD", "CLF"]) {
      const currency = currencyOf(code);
      const smallest = new Big(10).pow(-currency.currencyDecimals);
      for (const steps of [0, 1, 2, 3, 7, 12_345]) {
        const amount = new Big(largestAmount(currency)).minus(smallest.times(steps)).toFixed();
        expect(decimalOf(JSON.parse(JSON.stringify(Number(amount)))), `${amount} ${code}`).to.equal(amount);
      }
    }
  });

  it("is the shortest decimal of a JSON number", () => {
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
