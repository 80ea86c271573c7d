import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { AmountToRefund, type Order, type RefundInput } from "./order-queries.ts";

interface AmountToRefundResult {
  /** The amount that the server would give back; undefined for what it refuses, and while nothing is asked for. */
  amount: string | undefined;
  /** The fault of a field, or the server's refusal. */
  error: Error | null;
  isFetching: boolean;
}

/** Asks the server what a refund of the order comes to. `read` throws when a field cannot be read. */
export function useAmountToRefund(order: Order, read: () => RefundInput): AmountToRefundResult {
  const { id: shopId } = useShop();
  const { input, error } = tryRead(read);
  const isAsked = input !== undefined && (input.amount !== null || input.items !== null);
  const query = useQuery({
    // A change of the order asks anew.
    queryKey: ["records", shopId, "order", order.id, "amountToRefund", order.version, input],
    queryFn: async ({ signal }) => {
      const { shop } = await request(AmountToRefund, { shopId, id: order.id, input: input! }, { signal });
      return shop!.order!.amountToRefund;
    },
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  if (!isAsked) return { amount: undefined, error, isFetching: false };
  return { amount: query.data, error: query.error, isFetching: query.isFetching };
}

function tryRead(read: () => RefundInput): { input: RefundInput | undefined; error: Error | null } {
  try {
    return { input: read(), error: null };
  } catch (error) {
    return { input: undefined, error: error as Error };
  }
}
