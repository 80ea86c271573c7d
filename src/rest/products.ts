import { z } from "zod";
import { Permission } from "../core/model/permissions.ts";
import { ProductStatus } from "../core/model/products/product.enums.ts";
import { productRules } from "../core/products/product.inputs.ts";
import { MAX_SEARCH_LENGTH, SEARCH_RULE } from "../core/queries/search.ts";
import { checkDigits } from "../core/validation/amount.ts";
import { text } from "../core/model/text.ts";
import { decimalOf, largestAmount } from "../platform/money.ts";
import { graphql } from "./typed-document.ts";
import { pageQuery, paginate, paginationSchema, pageArguments } from "./pagination.ts";
import { defineRoute } from "./route.ts";
import { examples, idOf, money } from "./schemas.ts";

const productId = idOf("prod");
const title = z.string();
const handle = z.string().meta({
  description:
    "The product's name in URLs, made from the title. At most 200 characters, unique in the shop. Percent-encode it in URLs, because it can contain letters of any script.",
});
const status = z.enum(ProductStatus).meta({ id: "ProductStatus" });

const variant = z
  .strictObject({
    id: idOf("var"),
    title: z.string().meta({ description: '"Default Title" for a product without options.' }),
    sku: z.string(),
    price: money("The price of one unit."),
    inventoryQuantity: z.int().meta({ description: "The number of units available to sell." }),
  })
  .meta({ id: "Variant" });

const listedVariant = variant.extend({ barcode: z.string() }).meta({ id: "ListedVariant" });

const createdProduct = z.strictObject({ id: productId, title, handle, status }).meta({ id: "CreatedProduct" });
const listedProduct = createdProduct.extend({ variants: z.array(listedVariant) }).meta({ id: "ListedProduct" });
const product = createdProduct
  .extend({ description: z.string().nullable(), variants: z.array(variant) })
  .meta({ id: "Product" });

/** The limit for three decimals. Other currencies have lower limits. */
const MAX_PRICE = Number(largestAmount({ currencyDecimals: 3 }));

const exampleVariant = { id: examples.var, title: "Default Title", sku: "MUG-01", price: 14.5, inventoryQuantity: 40 };
const exampleProduct = {
  id: examples.prod,
  title: "Stoneware Mug",
  handle: "stoneware-mug",
  status: ProductStatus.ACTIVE,
};

/** A row of a document's answer with its price as a number. */
function priced<Row extends { price: string }>(row: Row) {
  return { ...row, price: Number(row.price) };
}

export const listProducts = defineRoute({
  method: "GET",
  path: "/products",
  operationId: "listProducts",
  summary: "List products",
  description: "The shop's products, newest first.",
  tag: "Products",
  permission: Permission.READ_PRODUCTS,
  resource: "Shop",
  query: z.strictObject({
    search: text({ max: MAX_SEARCH_LENGTH })
      .optional()
      .meta({
        description: `Beginnings of words of the title or handle, of SKUs or parts of them, or of barcodes. ${SEARCH_RULE} Example: \`mug sand\`.`,
      }),
    status: z.enum(ProductStatus).optional().meta({
      description: "Only products with this status. Without it, drafts and archived products are listed too.",
    }),
    ...pageQuery,
  }),
  document: graphql(`
    query ListProducts(
      $shopId: ID!
      $page: Int
      $after: String
      $limit: Int!
      $search: String
      $status: ProductStatus
      $updatedSince: Timestamp
    ) {
      shop(id: $shopId) {
        products(
          page: $page
          after: $after
          limit: $limit
          search: $search
          status: $status
          updatedSince: $updatedSince
        ) {
          items {
            id
            title
            handle
            status
            variants {
              id
              title
              sku
              barcode
              price
              inventoryQuantity
            }
          }
          total
          nextCursor
        }
      }
    }
  `),
  variables: ({ shopId, query, position }) => ({
    shopId,
    search: query.search,
    status: query.status,
    updatedSince: query.updatedSince,
    limit: query.limit,
    ...pageArguments(position),
  }),
  status: 200,
  response: z
    .strictObject({ products: z.array(listedProduct), pagination: paginationSchema })
    .meta({ id: "ProductList" }),
  responseExample: {
    products: [{ ...exampleProduct, variants: [{ ...exampleVariant, barcode: "4006381333931" }] }],
    pagination: { page: 1, limit: 50, total: 1, pages: 1 },
  },
  shape: ({ shop }, { query, position }) =>
    shop && {
      products: shop.products.items.map((row) => ({ ...row, variants: row.variants.map(priced) })),
      pagination: paginate(position, query.limit, shop.products.total),
    },
  nextCursor: ({ shop }) => shop!.products.nextCursor,
});

export const getProduct = defineRoute({
  method: "GET",
  path: "/products/{productId}",
  operationId: "getProduct",
  summary: "Retrieve a product",
  description: "A product with its description and variants.",
  tag: "Products",
  permission: Permission.READ_PRODUCTS,
  resource: "Product",
  query: z.strictObject({}),
  document: graphql(`
    query GetProduct($shopId: ID!, $id: ID!) {
      shop(id: $shopId) {
        product(id: $id) {
          id
          title
          handle
          status
          description
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
  `),
  variables: ({ shopId, id }) => ({ shopId, id }),
  status: 200,
  response: z.strictObject({ product }).meta({ id: "ProductAnswer" }),
  responseExample: {
    product: { ...exampleProduct, description: "Holds 350 ml. Dishwasher safe.", variants: [exampleVariant] },
  },
  shape: ({ shop }) =>
    shop?.product ? { product: { ...shop.product, variants: shop.product.variants.map(priced) } } : null,
});

export const createProduct = defineRoute({
  method: "POST",
  path: "/products",
  operationId: "createProduct",
  summary: "Create a product",
  description:
    "Creates a product with one variant and emits `product.created`. Requires full API access: the Enterprise plan or an active trial.",
  tag: "Products",
  permission: Permission.WRITE_PRODUCTS,
  resource: "Shop",
  query: z.strictObject({}),
  body: z
    .strictObject({
      title: productRules.title.meta({ description: "The title. Trimmed, with at least one visible character." }),
      status: productRules.status,
      price: z.number().min(0).max(MAX_PRICE).meta({
        description:
          "The price in the shop's currency. At most 12 digits before the decimal point (11 in CLF and UYW), and no more decimals than ISO 4217 gives the currency: 2 for EUR, HUF and IDR, 0 for JPY, 3 for KWD, 4 for CLF and UYW.",
      }),
      sku: productRules.sku,
      inventoryQuantity: productRules.inventoryQuantity,
    })
    .meta({ id: "CreateProduct" }),
  checkBody: ({ price }, currency) =>
    typeof price === "number" && price >= 0 && price <= MAX_PRICE
      ? checkDigits("price", decimalOf(price), currency)
      : [],
  bodyExample: { title: "Stoneware Mug", price: 14.5, sku: "MUG-01", inventoryQuantity: 40 },
  document: graphql(`
    mutation CreateProduct($shopId: ID!, $input: CreateProductInput!, $idempotencyKey: String) {
      createProduct(shopId: $shopId, input: $input, idempotencyKey: $idempotencyKey) {
        id
        title
        handle
        status
      }
    }
  `),
  variables: ({ shopId, body: { price, sku, inventoryQuantity, ...fields }, idempotencyKey }) => ({
    shopId,
    // Compiled documents do not apply the schema's defaults.
    input: {
      ...fields,
      optionNames: [],
      variants: [
        { price: decimalOf(price), sku, inventoryQuantity, optionValues: [], barcode: "", isStockTracked: true },
      ],
    },
    idempotencyKey,
  }),
  status: 201,
  response: z.strictObject({ product: createdProduct }).meta({ id: "CreatedProductAnswer" }),
  responseExample: { product: exampleProduct },
  shape: ({ createProduct: created }) => ({ product: created }),
  location: ({ product: { id } }) => `/products/${id}`,
});
