import type { ResultOf, VariablesOf } from "gql.tada";
import { graphql, request, type RequestOptions } from "../request.ts";

/** The most products or customers that a search shows. */
const FEW = 8;

const VariantsByCode = graphql(`
  query VariantsByCode($shopId: ID!, $code: String!) {
    shop(id: $shopId) {
      variantByCode(code: $code) {
        product {
          title
        }
        variant {
          id
          title
          sku
          price
          inventoryQuantity
        }
      }
    }
  }
`);

const VariantsForSale = graphql(`
  query VariantsForSale($shopId: ID!, $search: String!, $limit: Int!) {
    shop(id: $shopId) {
      products(search: $search, limit: $limit, status: ACTIVE) {
        items {
          title
          variants {
            id
            title
            sku
            price
            inventoryQuantity
          }
        }
      }
    }
  }
`);

const Buyers = graphql(`
  query Buyers($shopId: ID!, $search: String!, $limit: Int!) {
    shop(id: $shopId) {
      customers(search: $search, limit: $limit) {
        items {
          id
          email
          firstName
          lastName
        }
      }
    }
  }
`);

const Quote = graphql(`
  query Quote($shopId: ID!, $input: QuoteOrderInput!, $method: PaymentMethod!) {
    shop(id: $shopId) {
      pricesIncludeTax
      quoteOrder(input: $input) {
        subtotalAmount
        discountAmount
        taxAmount
        totalAmount
        amountToPay(method: $method)
        lines {
          unitPrice
          totalAmount
        }
        problems {
          path
          code
          message
        }
      }
    }
  }
`);

export const CreateOrder = graphql(`
  mutation CreateOrder($shopId: ID!, $idempotencyKey: String, $input: CreateOrderInput!) {
    createOrder(shopId: $shopId, idempotencyKey: $idempotencyKey, input: $input) {
      id
      orderNumber
    }
  }
`);

export type NewOrder = VariablesOf<typeof Quote>["input"];
export type QuotedOrder = NonNullable<ResultOf<typeof Quote>["shop"]>["quoteOrder"];
export type Buyer = NonNullable<ResultOf<typeof Buyers>["shop"]>["customers"]["items"][number];
type Match = NonNullable<ResultOf<typeof VariantsByCode>["shop"]>["variantByCode"][number];
/** A variant that can be sold, with the title of its product. */
export type Sellable = Match["variant"] & { productTitle: string };

/** The variants with exactly this code, however it is spelled. */
export async function findByCode(shopId: string, code: string): Promise<Sellable[]> {
  const { shop } = await request(VariantsByCode, { shopId, code });
  return shop!.variantByCode.map(({ product, variant }) => ({ ...variant, productTitle: product.title }));
}

/** The variants of products that a search finds. */
export async function findVariants(shopId: string, search: string, options: RequestOptions): Promise<Sellable[]> {
  const { shop } = await request(VariantsForSale, { shopId, search, limit: FEW }, options);
  return shop!.products.items.flatMap(({ title, variants }) =>
    variants.map((variant) => ({ ...variant, productTitle: title })),
  );
}

export const findBuyers = async (shopId: string, search: string, options: RequestOptions): Promise<Buyer[]> =>
  (await request(Buyers, { shopId, search, limit: FEW }, options)).shop!.customers.items;

export const quote = async (variables: VariablesOf<typeof Quote>, options: RequestOptions) =>
  (await request(Quote, variables, options)).shop!;
