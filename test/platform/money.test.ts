import { expect } from "chai";
import { Big, decimalOf, largestAmount } from "../../src/platform/money.ts";
import { currencyOf } from "../support/currency.ts";

describe("Money", () => {
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
