import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { found, graphql, request, type RequestOptions } from "../request.ts";
import { copy } from "./copy.ts";

const Products = graphql(`
  query Products(
    $shopId: ID!
    $after: String
    $search: String
    $status: ProductStatus
    $sort: ProductSort!
    $order: SortOrder!
  ) {
    shop(id: $shopId) {
      products(after: $after, limit: 50, search: $search, status: $status, sort: $sort, order: $order) {
        nextCursor
        total
        items {
          id
          title
          status
          updatedAt
          variants {
            price
            inventoryQuantity
            isStockTracked
          }
        }
      }
    }
  }
`);

const Product = graphql(`
  query Product($shopId: ID!, $id: ID!) {
    shop(id: $shopId) {
      product(id: $id) {
        id
        version
        title
        handle
        description
        status
        optionNames
        createdAt
        updatedAt
        metadata {
          key
          value
        }
        variants {
          id
          title
          optionValues
          sku
          barcode
          price
          inventoryQuantity
          isStockTracked
          metadata {
            key
            value
          }
        }
      }
    }
  }
`);

export const CreateProduct = graphql(`
  mutation CreateProduct($shopId: ID!, $idempotencyKey: String, $input: CreateProductInput!) {
    createProduct(shopId: $shopId, idempotencyKey: $idempotencyKey, input: $input) {
      id
    }
  }
`);

export const UpdateProduct = graphql(`
  mutation UpdateProduct($shopId: ID!, $id: ID!, $expectedVersion: Int, $input: UpdateProductInput!) {
    updateProduct(shopId: $shopId, id: $id, expectedVersion: $expectedVersion, input: $input) {
      id
    }
  }
`);

export const DeleteProduct = graphql(`
  mutation DeleteProduct($shopId: ID!, $id: ID!, $expectedVersion: Int) {
    deleteProduct(shopId: $shopId, id: $id, expectedVersion: $expectedVersion)
  }
`);

export const CreateVariant = graphql(`
  mutation CreateVariant($shopId: ID!, $productId: ID!, $expectedVersion: Int, $input: NewVariantInput!) {
    createVariant(shopId: $shopId, productId: $productId, expectedVersion: $expectedVersion, input: $input) {
      id
    }
  }
`);

export const UpdateVariant = graphql(`
  mutation UpdateVariant($shopId: ID!, $id: ID!, $expectedVersion: Int, $input: UpdateVariantInput!) {
    updateVariant(shopId: $shopId, id: $id, expectedVersion: $expectedVersion, input: $input) {
      id
    }
  }
`);

export const DeleteVariant = graphql(`
  mutation DeleteVariant($shopId: ID!, $id: ID!, $expectedVersion: Int) {
    deleteVariant(shopId: $shopId, id: $id, expectedVersion: $expectedVersion) {
      id
    }
  }
`);

export type ProductRow = NonNullable<ResultOf<typeof Products>["shop"]>["products"]["items"][number];
export type Product = NonNullable<NonNullable<ResultOf<typeof Product>["shop"]>["product"]>;
export type Variant = Product["variants"][number];
export type NewProduct = VariablesOf<typeof CreateProduct>["input"];

export const listProducts = async (variables: VariablesOf<typeof Products>, options?: RequestOptions) =>
  (await request(Products, variables, options)).shop!.products;

export const productQuery = (shopId: string, id: string) =>
  queryOptions({
    queryKey: ["records", shopId, "product", id],
    queryFn: async ({ signal }) =>
      found((await request(Product, { shopId, id }, { signal })).shop?.product, copy.notFound),
  });
