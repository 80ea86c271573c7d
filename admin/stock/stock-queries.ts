import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { graphql, request, RequestError, type RequestOptions } from "../request.ts";

/** The most units in stock that count as few. */
export const FEW = 5;

const Stock = graphql(`
  query Stock($shopId: ID!, $after: String, $search: String) {
    shop(id: $shopId) {
      products(after: $after, limit: 50, search: $search, sort: TITLE, order: ASC) {
        nextCursor
        total
        items {
          id
          title
          variants {
            id
            title
            sku
            inventoryQuantity
          }
        }
      }
    }
  }
`);

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

const StockOfVariant = graphql(`
  query StockOfVariant($shopId: ID!, $id: ID!) {
    shop(id: $shopId) {
      variant(id: $id) {
        id
        title
        inventoryQuantity
        productId
      }
    }
  }
`);

const ProductTitle = graphql(`
  query ProductTitle($shopId: ID!, $id: ID!) {
    shop(id: $shopId) {
      product(id: $id) {
        title
      }
    }
  }
`);

const StockChangeFields = graphql(`
  fragment StockChangeFields on StockChange @_unmask {
    id
    createdAt
    delta
    quantityAfter
    reason
    note
    orderId
    orderNumber
    actorName
  }
`);

const StockChanges = graphql(
  `
    query StockChanges($shopId: ID!, $after: String, $variantId: ID!) {
      shop(id: $shopId) {
        stockChanges(after: $after, limit: 50, variantId: $variantId) {
          nextCursor
          total
          items {
            ...StockChangeFields
          }
        }
      }
    }
  `,
  [StockChangeFields],
);

const ShopStockChanges = graphql(
  `
    query ShopStockChanges($shopId: ID!, $productId: ID, $after: String, $limit: Int!) {
      shop(id: $shopId) {
        stockChanges(after: $after, limit: $limit, productId: $productId) {
          nextCursor
          items {
            ...StockChangeFields
            variantId
            productTitle
            variantTitle
          }
        }
      }
    }
  `,
  [StockChangeFields],
);

const StockResult = graphql(`
  fragment StockResult on StockChangeResult @_unmask {
    error {
      code
      message
      hint
      issues {
        path
        message
      }
    }
  }
`);

export const AdjustStock = graphql(
  `
    mutation AdjustStock($shopId: ID!, $changes: [AdjustStockInput!]!) {
      results: adjustStock(shopId: $shopId, changes: $changes) {
        ...StockResult
      }
    }
  `,
  [StockResult],
);

export const SetStock = graphql(
  `
    mutation SetStock($shopId: ID!, $changes: [SetStockInput!]!) {
      results: setStock(shopId: $shopId, changes: $changes) {
        ...StockResult
      }
    }
  `,
  [StockResult],
);

type StockProduct = NonNullable<ResultOf<typeof Stock>["shop"]>["products"]["items"][number];
export type StockRow = StockProduct["variants"][number] & { product: Pick<StockProduct, "id" | "title"> };
export type ShopStockChange = NonNullable<ResultOf<typeof ShopStockChanges>["shop"]>["stockChanges"]["items"][number];
export type StockChange = NonNullable<ResultOf<typeof StockChanges>["shop"]>["stockChanges"]["items"][number];

/** Lists the variants of the products that match a search. */
export async function listStock(variables: VariablesOf<typeof Stock>, options: RequestOptions) {
  const { shop } = await request(Stock, variables, options);
  const items = shop!.products.items.flatMap((product) => product.variants.map((each) => ({ ...each, product })));
  return { ...shop!.products, items };
}

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

export const listStockChanges = async (variables: VariablesOf<typeof StockChanges>, options: RequestOptions) =>
  (await request(StockChanges, variables, options)).shop!.stockChanges;

/** Lists the stock changes of the shop or of a product, without a total: there can be millions. */
export const listShopStockChanges = async (variables: VariablesOf<typeof ShopStockChanges>, options: RequestOptions) =>
  (await request(ShopStockChanges, variables, options)).shop!.stockChanges;

/** A variant with its product's title; null when it was deleted. */
export const stockOfVariantQuery = (shopId: string, id: string) =>
  queryOptions({
    queryKey: ["records", shopId, "stock of", id],
    queryFn: async ({ signal }) => {
      const { shop } = await request(StockOfVariant, { shopId, id }, { signal });
      if (!shop?.variant) return null;
      const found = await request(ProductTitle, { shopId, id: shop.variant.productId }, { signal });
      return { ...shop.variant, product: found.shop!.product! };
    },
  });

type Result = ResultOf<typeof SetStock>["results"][number];

/** @throws RequestError when a change was refused */
export function checkResults({ results }: { results: readonly Result[] }): void {
  const error = results.find((result) => result.error)?.error;
  if (!error) return;
  const issues = error.issues.map(({ path, message }) => ({
    path: path === "delta" || path === "quantity" ? "units" : path,
    message,
  }));
  throw new RequestError(error.message, { code: error.code, issues, ...(error.hint && { hint: error.hint }) });
}
