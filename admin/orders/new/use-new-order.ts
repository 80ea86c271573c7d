import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../queries.ts";
import { isUnavailable, request, RequestError } from "../../request.ts";
import { checkAmount, parseAmount } from "../../ui/forms/amount-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { addAmounts, formatMoney, isPositive, negate } from "../../ui/values/money.ts";
import { copy } from "../copy.ts";
import type { VariablesOf } from "gql.tada";
import type { Payment } from "../order-queries.ts";
import { CreateOrder, Quote, type Buyer, type NewOrder, type Sellable } from "./new-order-queries.ts";

/** What has been typed of an order. */
interface Draft {
  lines: readonly DraftLine[];
  discount: string;
  buyer?: Buyer | undefined;
  method?: Payment["method"] | undefined;
  tendered: string;
  isHandedOver: boolean;
}

/** A sale over the counter. */
const emptyDraft: Draft = { lines: [], discount: "", method: "CASH", tendered: "", isHandedOver: true };

export interface DraftLine {
  variant: Sellable;
  quantity: string;
}

/** The order as it is typed, with its price and what is wrong with it. */
export function useNewOrder() {
  const shop = useShop();
  const { id: shopId, currencyDecimals } = shop;
  const [draft, setDraft] = useState(emptyDraft);
  const { lines, discount, buyer, method } = draft;
  const hasLines = lines.length > 0;
  const quote = useQuery({
    queryKey: ["records", shopId, "quote", lines, discount, buyer, method],
    queryFn: async ({ signal }) => {
      const input = readInput(draft, currencyDecimals);
      return (await request(Quote, { shopId, input, method: method ?? "CARD" }, { signal })).shop!;
    },
    enabled: hasLines,
    placeholderData: keepPreviousData,
  });
  const { create, isUncertain, renew } = useCreate(() => void quote.refetch());
  const price = hasLines && quote.data ? { ...quote.data.quoteOrder, ...quote.data } : undefined;
  const error = create.error ?? (hasLines ? quote.error : null);
  const isQuoting = hasLines && (quote.isFetching || quote.isPlaceholderData);
  const due = price?.amountToPay ?? "0";
  const cash = method === "CASH" && isPositive(due) ? readCash(draft.tendered, due, shop) : undefined;
  return {
    draft,
    change: (changed: (old: Draft) => Partial<Draft>) => {
      if (create.isPending) return;
      renew();
      setDraft((old) => ({ ...old, ...changed(old) }));
    },
    price,
    cash,
    // The quote after a refusal says at which line it is.
    problems: price?.problems.length ? price.problems : error ? issuesOf(error) : [],
    isQuoting,
    isUncertain,
    isReady:
      price?.problems.length === 0 && cash?.isEnough !== false && !isQuoting && !create.isPending && !create.isSuccess,
    submit: () => {
      const payments = method && isPositive(due) ? [{ method, tendered: cash?.tendered }] : [];
      const input = { ...readInput(draft, currencyDecimals), isFulfilled: draft.isHandedOver };
      create.mutate({ ...input, payments, expectedTotal: price!.totalAmount });
    },
  };
}

/** Reads the cash that is given, and says what to give back or what is missing. */
function readCash(typed: string, due: string, { currency, currencyDecimals }: ReturnType<typeof useShop>) {
  const given = typed.trim();
  if (given === "") return { tendered: null, isEnough: true };
  const error = checkAmount(given, currencyDecimals);
  if (error) return { tendered: null, isEnough: false, text: error };
  const tendered = parseAmount(given, "tendered", currencyDecimals)!;
  const change = addAmounts(tendered, negate(due));
  if (!change.startsWith("-"))
    return { tendered, isEnough: true, text: copy.create.change(formatMoney(change, currency)) };
  return { tendered, isEnough: false, text: copy.create.missing(formatMoney(negate(change), currency)) };
}

/** Reads a draft as the server's input. @throws RequestError for the field that is wrong */
function readInput({ lines, discount, buyer }: Draft, currencyDecimals: number): NewOrder {
  const percentage = /^(\d{1,3}(?:[.,]\d{1,4})?)\s*%$/.exec(discount.trim())?.[1]?.replace(",", ".");
  const amount = percentage ? null : parseAmount(discount.trim(), "discount", currencyDecimals);
  return {
    channel: "POS",
    customerId: buyer?.id ?? null,
    discount: percentage ? { percentage } : amount === null ? null : { amount },
    lines: lines.map(({ variant, quantity }, index) => {
      if (!/^[1-9]\d{0,5}$/.test(quantity.trim()))
        throw invalid(`lines.${index}.quantity`, copy.create.invalidQuantity);
      return { variantId: variant.id, quantity: Number(quantity) };
    }),
  };
}

const invalid = (path: string, message: string) =>
  new RequestError(message, { code: "VALIDATION_FAILED", issues: [{ path, message }] });

/** What is wrong with the parts of the order, such as `lines.0.quantity`. */
const issuesOf = (error: Error) =>
  error instanceof RequestError && error.issues.length > 0 ? error.issues : [{ path: "", message: error.message }];

/** Creates the order, once until it is changed, and opens it. */
function useCreate(onRefused: () => void) {
  const { id: shopId, currency } = useShop();
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  // Stays true: a later response says nothing about an earlier request.
  const [isUncertain, setUncertain] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (input: VariablesOf<typeof CreateOrder>["input"]) =>
      request(CreateOrder, { shopId, idempotencyKey, input }),
    onSuccess: async ({ createOrder: { id: orderId, orderNumber, payments } }) => {
      const change = payments[0]?.change;
      toast(copy.create.done(orderNumber, change ? formatMoney(change, currency) : undefined));
      await navigate({ to: "/$shopId/orders/$orderId", params: { shopId, orderId } });
      await client.invalidateQueries({ queryKey: ["records", shopId] });
    },
    onError: (error) => {
      if (isUnavailable(error)) setUncertain(true);
      onRefused();
    },
  });
  const renew = () => {
    create.reset();
    setIdempotencyKey(crypto.randomUUID());
  };
  return { create, isUncertain, renew };
}
