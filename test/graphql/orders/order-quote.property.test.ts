import { expect } from "chai";
import fc from "fast-check";
import { importProduct } from "../../support/factories.ts";
import { holds } from "../../support/properties/holds.ts";
import { useServer } from "../../support/server.ts";
import { CREATE, QUOTE, Till } from "../../support/shops/till.ts";

const discount = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  // Some exceed the price, or have too many decimals.
  { weight: 2, arbitrary: fc.constantFrom("0.01", "1.99", "30", "0.005").map((amount) => ({ amount })) },
  { weight: 2, arbitrary: fc.constantFrom("10", "33.3333", "100").map((percentage) => ({ percentage })) },
);

const line = fc.record(
  {
    variant: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom("mug" as const, "plate" as const) },
      { weight: 1, arbitrary: fc.constantFrom("draft" as const, "unknown" as const) },
    ),
    quantity: fc.integer({ min: 1, max: 7 }),
    discount,
    tax: fc.constantFrom({}, { taxRate: "0" }, { taxRate: "7" }, { taxRate: "8.875" }, { taxAmount: "1.43" }),
  },
  { noNullPrototype: true },
);

const sale = fc.record({
  settings: fc.record({
    pricesIncludeTax: fc.boolean(),
    cashRounding: fc.constantFrom("0", "0.05", "1"),
    defaultTaxRate: fc.constantFrom(null, "0", "19", "5.5"),
    allowsOverselling: fc.boolean(),
  }),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  discount,
  customerId: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant("cus_none") }),
  method: fc.constantFrom("CASH", "CARD"),
});

describe("A quote", () => {
  const till = new Till(useServer());

  const taken = { placed: 0, refused: 0 };

  holds("is what createOrder does, to the cent, and has problems if and only if it refuses", 80, () =>
    fc.asyncProperty(sale, async ({ settings, lines, method, ...rest }) => {
      await till.open(settings);
      const draft = await importProduct(till.server.em, till.shop, { status: "DRAFT" });
      const ids = { mug: till.mug.id, plate: till.plate.id, draft: draft.variants[0]!.id, unknown: "var_none" };
      const input = {
        channel: "POS",
        ...rest,
        lines: lines.map(({ variant, tax, ...each }) => ({ ...each, ...tax, variantId: ids[variant] })),
      };
      const { data, errors } = await till.ask(QUOTE, { input });
      expect(errors, JSON.stringify(errors)).to.deep.equal([]);
      const { lines: quoted, problems, cash, card, ...amounts } = data.shop.quoteOrder;
      const expected = { expectedTotal: amounts.totalAmount, payments: [{ method }] };
      const isFree = Number(amounts.totalAmount) === 0;
      const placed = await till.ask(CREATE, { input: { ...input, ...(isFree ? {} : expected) } });
      if (problems.length > 0) {
        taken.refused += 1;
        const {
          code,
          issues = [],
          ...error
        } = placed.errors[0]!.extensions as {
          code: string;
          issues?: { path: string; code: string; message: string }[];
        };
        if (code === "VALIDATION_FAILED") expect(problems).to.deep.include.members(issues);
        else expect(problems[0], JSON.stringify(error)).to.deep.include({ code: code.toLowerCase() });
        return;
      }
      expect(placed.errors, JSON.stringify(placed.errors)).to.deep.equal([]);
      taken.placed += 1;
      const { items, payments, totalAmount, roundingAmount, ...order } = placed.data.order;
      const { totalAmount: exact, ...others } = amounts;
      expect(order).to.include(others);
      expect(Number(totalAmount) - Number(roundingAmount)).to.be.closeTo(Number(exact), 1e-9);
      expect(items.map(({ id: _, fulfilledQuantity, refundedQuantity, restockedQuantity, ...each }: Item) => each))
        // oxfmt-ignore
        .to.deep.equal(quoted);
      expect(order.paymentStatus).to.equal("PAID");
      if (!isFree) expect(payments[0].amount).to.equal(method === "CASH" ? cash : card);
    }),
  );

  after("has seen both", () => {
    expect(taken.placed).to.be.above(10);
    expect(taken.refused).to.be.above(10);
  });
});

type Item = Record<"id" | "fulfilledQuantity" | "refundedQuantity" | "restockedQuantity", unknown>;
