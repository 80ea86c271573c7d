import { queryOptions } from "@tanstack/react-query";
import { graphql, request, type RequestOptions } from "../request.ts";
import type { StockRow } from "./stock-queries.ts";

/** The most units in stock that count as few. */
export const FEW = 5;

const LowStock = graphql(`
  query LowStock($shopId: ID!, $atMost: Int!, $limit: Int!, $after: String) {
    shop(id: $shopId) {
      lowStock(atMost: $atMost, limit: $limit, after: $after) {
        nextCursor
        items {
          id
          title
          sku
          inventoryQuantity
          productId
          productTitle
        }
      }
    }
  }
`);

/** Lists the variants with few units in stock, the fewest first, without a total: counting them would be slow. */
export async function listLowStock(
  variables: { shopId: string; after: string | null },
  options: RequestOptions,
  limit = 50,
): Promise<{ items: StockRow[]; nextCursor: string | null }> {
  const { shop } = await request(LowStock, { ...variables, atMost: FEW, limit }, options);
  const items = shop!.lowStock.items.map(({ productId, productTitle, ...variant }) => ({
    ...variant,
    product: { id: productId, title: productTitle },
  }));
  return { ...shop!.lowStock, items };
}

/** The variants with the fewest units in stock. */
export const lowStockQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "low-stock"],
    queryFn: ({ signal }) => listLowStock({ shopId, after: null }, { signal }, 5),
  });
