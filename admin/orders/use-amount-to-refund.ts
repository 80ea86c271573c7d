import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { AmountToRefund, type Order, type RefundInput } from "./order-queries.ts";

interface AmountToRefundResult {
  /** The amount that the server would refund; undefined for an invalid or an empty form. */
  amount: string | undefined;
  /** An invalid field, or the server's error. */
  error: Error | null;
  isFetching: boolean;
}

/** Asks the server for the amount of a refund. `read` throws when a field is invalid. */
export function useAmountToRefund(order: Order, read: () => RefundInput): AmountToRefundResult {
  const { id: shopId } = useShop();
  const { input, error } = tryRead(read);
  const hasInput = input !== undefined && (input.amount !== null || input.items !== null);
  const query = useQuery({
    // The version refreshes the amount when the order changes.
    queryKey: ["records", shopId, "order", order.id, "amountToRefund", order.version, input],
    queryFn: async ({ signal }) => {
      const { shop } = await request(AmountToRefund, { shopId, id: order.id, input: input! }, { signal });
      return shop!.order!.amountToRefund;
    },
    enabled: hasInput,
    placeholderData: keepPreviousData,
  });
  if (!hasInput) return { amount: undefined, error, isFetching: false };
  return { amount: query.data, error: query.error, isFetching: query.isFetching };
}

function tryRead(read: () => RefundInput): { input: RefundInput | undefined; error: Error | null } {
  try {
    return { input: read(), error: null };
  } catch (error) {
    return { input: undefined, error: error as Error };
  }
}
