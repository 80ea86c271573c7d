import type { ResultOf, VariablesOf } from "gql.tada";
import { graphql, request, type RequestOptions } from "../../request.ts";

/** The most products or customers that a search shows. */
const FEW = 8;

const Offer = graphql(`
  fragment Offer on Variant @_unmask {
    id
    title
    sku
    price
    inventoryQuantity
    isStockTracked
  }
`);

const Offers = graphql(
  `
    query Offers($shopId: ID!, $search: String!, $limit: Int!) {
      shop(id: $shopId) {
        variantByCode(code: $search) {
          product {
            title
          }
          variant {
            ...Offer
          }
        }
        products(search: $search, limit: $limit, status: ACTIVE) {
          items {
            title
            variants {
              ...Offer
            }
          }
        }
      }
    }
  `,
  [Offer],
);

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

export const Quote = graphql(`
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
      payments {
        change
      }
    }
  }
`);

export type NewOrder = VariablesOf<typeof Quote>["input"];
export type Buyer = NonNullable<ResultOf<typeof Buyers>["shop"]>["customers"]["items"][number];
/** A variant that can be sold, with the title of its product. */
export type Sellable = ResultOf<typeof Offer> & { productTitle: string };

/** The variants with exactly this code, or else those of products that the search finds. */
export async function findVariants(shopId: string, search: string, options: RequestOptions): Promise<Sellable[]> {
  const { variantByCode, products } = (await request(Offers, { shopId, search, limit: FEW }, options)).shop!;
  const searched = products.items.flatMap((product) => product.variants.map((variant) => ({ product, variant })));
  const offers = variantByCode.length > 0 ? variantByCode : searched;
  return offers.map(({ product, variant }) => ({ ...variant, productTitle: product.title }));
}

export const findBuyers = async (shopId: string, search: string, options: RequestOptions): Promise<Buyer[]> =>
  (await request(Buyers, { shopId, search, limit: FEW }, options)).shop!.customers.items;
