import { Big, inCurrency, sum, type Currency } from "../../platform/money.ts";
import type { Shop } from "../model/shops/shop.entity.ts";

/** The settings of a shop that decide its prices. */
export type PricingRules = Currency & Pick<Shop, "pricesIncludeTax">;

/** A discount: an amount or a percentage, exactly one of them. */
export interface Discount {
  /** Decimal, in the order's currency. */
  amount?: string | null;
  /** Decimal, up to 100. */
  percentage?: string | null;
}

export interface LineToPrice {
  quantity: number;
  unitPrice: string;
  /** Percent of the amount without tax. */
  taxRate: string;
  /** The tax of the line after all discounts, instead of a rate. */
  taxAmount?: string | null | undefined;
  discount?: Discount | null;
}

interface PricedLine {
  discountAmount: string;
  taxAmount: string;
  totalAmount: string;
}

export interface PricedOrder {
  lines: PricedLine[];
  subtotalAmount: string;
  discountAmount: string;
  taxAmount: string;
  totalAmount: string;
}

/** A discount or an included tax that exceeds the amount it is a part of. */
export class ExcessiveAmount extends Error {
  readonly path: string;
  readonly limit: Big;

  constructor(path: string, whole: string, limit: Big) {
    super(`Must not exceed ${whole}`);
    this.path = path;
    this.limit = limit;
  }
}

/**
 * Computes the prices of an order, to the smallest unit of its currency. Line discounts come first. The order's
 * discount is then spread over the lines by their remaining amounts, and tax is added to what is left, or extracted from
 * it where prices include tax. Halves are rounded up. The order's amounts are the exact sums of its lines.
 *
 * @throws ExcessiveAmount
 */
export function priceOrder(
  lines: readonly LineToPrice[],
  discount: Discount | null | undefined,
  rules: PricingRules,
): PricedOrder {
  const decimals = rules.currencyDecimals;
  const subtotals = lines.map((line) => new Big(line.unitPrice).times(line.quantity));
  const ownDiscounts = lines.map(({ discount: own }, index) =>
    discountOff(subtotals[index]!, own, decimals, `lines.${index}.discount.amount`),
  );
  const rest = subtotals.map((subtotal, index) => subtotal.minus(ownDiscounts[index]!));
  const whole = rest.reduce((total, amount) => total.plus(amount), new Big(0));
  const shared = discountOff(whole, discount, decimals, "discount.amount");
  const shares = spread(shared, rest, rules);
  const priced = lines.map((line, index) => {
    const share = shares[index]!;
    const discounted = rest[index]!.minus(share);
    const tax = taxOf(line, discounted, rules);
    // Without tax in the prices, the limit is before discounts, because a discount that a manufacturer pays can be taxed.
    const [limit, when] = rules.pricesIncludeTax ? [discounted, "after"] : [subtotals[index]!, "before"];
    if (tax.gt(limit)) {
      throw new ExcessiveAmount(`lines.${index}.taxAmount`, `the price of the line ${when} discounts`, limit);
    }
    return {
      discountAmount: ownDiscounts[index]!.plus(share).toFixed(decimals),
      taxAmount: tax.toFixed(decimals),
      totalAmount: (rules.pricesIncludeTax ? discounted : discounted.plus(tax)).toFixed(decimals),
    };
  });
  const total = (amounts: string[]) => inCurrency(sum(amounts), rules);
  return {
    lines: priced,
    subtotalAmount: total(subtotals.map((subtotal) => subtotal.toFixed())),
    discountAmount: total(priced.map((line) => line.discountAmount)),
    taxAmount: total(priced.map((line) => line.taxAmount)),
    totalAmount: total(priced.map((line) => line.totalAmount)),
  };
}

/**
 * The price of `quantity` further units of a line after earlier refunds. Refunds of single units add up to the line's
 * total exactly.
 */
export function refundOfUnits(
  line: { quantity: number; refundedQuantity: number; totalAmount: string },
  quantity: number,
  { currencyDecimals }: Currency,
): string {
  const { refundedQuantity } = line;
  const range = {
    from: new Big(refundedQuantity),
    to: new Big(refundedQuantity + quantity),
    of: new Big(line.quantity),
  };
  return shareOf(new Big(line.totalAmount), range, currencyDecimals).toFixed();
}

/** The tax on the discounted price of a line, or the part of the price that is tax. */
function taxOf(
  { taxRate, taxAmount }: LineToPrice,
  discounted: Big,
  { pricesIncludeTax, currencyDecimals }: PricingRules,
): Big {
  if (taxAmount != null) return new Big(taxAmount);
  const whole = pricesIncludeTax ? new Big(taxRate).plus(100) : 100;
  return round(discounted.times(taxRate).div(whole), currencyDecimals);
}

function discountOff(amount: Big, discount: Discount | null | undefined, decimals: number, path: string): Big {
  if (!discount) return new Big(0);
  const { percentage } = discount;
  const off = percentage == null ? new Big(discount.amount!) : round(amount.times(percentage).div(100), decimals);
  if (off.gt(amount)) throw new ExcessiveAmount(path, "the amount it is deducted from", amount);
  return off;
}

/** Spreads an amount over others in proportion to them, without a remainder. No share exceeds its amount. */
export function spread(amount: Big, over: readonly Big[], { currencyDecimals }: Currency): Big[] {
  const of = over.reduce((total, each) => total.plus(each), new Big(0));
  const total = amount.lt(of) ? amount : of;
  let to = new Big(0);
  return over.map((each) => {
    const from = to;
    to = to.plus(each);
    return shareOf(total, { from, to, of }, currencyDecimals);
  });
}

/** The share of a total for a range of the whole. Shares of adjacent ranges add up without a remainder. */
export function shareOf(total: Big, { from, to, of }: { from: Big; to: Big; of: Big }, decimals: number): Big {
  if (of.eq(0)) return new Big(0);
  const upTo = (end: Big) => round(total.times(end).div(of), decimals);
  return upTo(to).minus(upTo(from));
}

function round(amount: Big, decimals: number): Big {
  return amount.round(decimals, Big.roundHalfUp);
}
