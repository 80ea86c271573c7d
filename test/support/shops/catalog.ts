import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import type { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { buildShop, buildStaff } from "../factories.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../graphql.ts";
import type { TestServer } from "../server.ts";

const PRODUCT = `id title handle description status optionNames version createdAt updatedAt
  variants { id productId title optionValues sku barcode price inventoryQuantity createdAt updatedAt }`;
/** Without long texts, which would be too costly for hundreds. */
const BRIEF_PRODUCT = PRODUCT.replace(" description", "");
const ERROR = "error { code message hint issues { path code message } }";

const documents = {
  createProduct: `mutation ($shopId: ID!, $input: CreateProductInput!, $idempotencyKey: String) {
    createProduct(shopId: $shopId, input: $input, idempotencyKey: $idempotencyKey) { ${PRODUCT} }
  }`,
  updateProduct: `mutation ($shopId: ID!, $id: ID!, $input: UpdateProductInput!, $expectedVersion: Int) {
    updateProduct(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${PRODUCT} }
  }`,
  deleteProduct: `mutation ($shopId: ID!, $id: ID!, $expectedVersion: Int) {
    deleteProduct(shopId: $shopId, id: $id, expectedVersion: $expectedVersion)
  }`,
  createVariant: `mutation ($shopId: ID!, $productId: ID!, $input: NewVariantInput!, $expectedVersion: Int) {
    createVariant(shopId: $shopId, productId: $productId, input: $input, expectedVersion: $expectedVersion) { ${PRODUCT} }
  }`,
  updateVariant: `mutation ($shopId: ID!, $id: ID!, $input: UpdateVariantInput!, $expectedVersion: Int) {
    updateVariant(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${PRODUCT} }
  }`,
  deleteVariant: `mutation ($shopId: ID!, $id: ID!, $expectedVersion: Int) {
    deleteVariant(shopId: $shopId, id: $id, expectedVersion: $expectedVersion) { ${PRODUCT} }
  }`,
  createProducts: `mutation ($shopId: ID!, $inputs: [BulkCreateProductInput!]!) {
    createProducts(shopId: $shopId, inputs: $inputs) { product { ${PRODUCT} } ${ERROR} }
  }`,
  updateProducts: `mutation ($shopId: ID!, $inputs: [BulkUpdateProductInput!]!) {
    updateProducts(shopId: $shopId, inputs: $inputs) { product { ${PRODUCT} } ${ERROR} }
  }`,
  createManyProducts: `mutation ($shopId: ID!, $inputs: [BulkCreateProductInput!]!) {
    createManyProducts: createProducts(shopId: $shopId, inputs: $inputs) { product { ${BRIEF_PRODUCT} } ${ERROR} }
  }`,
  updateManyProducts: `mutation ($shopId: ID!, $inputs: [BulkUpdateProductInput!]!) {
    updateManyProducts: updateProducts(shopId: $shopId, inputs: $inputs) { product { ${BRIEF_PRODUCT} } ${ERROR} }
  }`,
  deleteProducts: `mutation ($shopId: ID!, $ids: [ID!]!) {
    deleteProducts(shopId: $shopId, ids: $ids) { id deleted ${ERROR} }
  }`,
  setStock: `mutation ($shopId: ID!, $changes: [SetStockInput!]!) {
    setStock(shopId: $shopId, changes: $changes) { variantId change { id delta quantityAfter reason note } ${ERROR} }
  }`,
  adjustStock: `mutation ($shopId: ID!, $changes: [AdjustStockInput!]!) {
    adjustStock(shopId: $shopId, changes: $changes) { variantId change { id delta quantityAfter reason note } ${ERROR} }
  }`,
  product: `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { product(id: $id) { ${PRODUCT} } } }`,
};

/** A member of staff who manages products through GraphQL. */
export class Catalog {
  readonly shop: Shop;
  readonly staffId: string;
  readonly #server: TestServer;
  readonly #session: { cookie: string };

  private constructor(server: TestServer, shop: Shop, staffId: string, session: { cookie: string }) {
    this.shop = shop;
    this.staffId = staffId;
    this.#server = server;
    this.#session = session;
  }

  static async open(server: TestServer, overrides: Parameters<typeof buildShop>[1] = {}, role?: Role) {
    return Catalog.openIn(server, await buildShop(server.em, overrides), role);
  }

  static async openIn(server: TestServer, shop: Shop, role?: Role): Promise<Catalog> {
    const staff = await buildStaff(server.em, shop, role);
    return new Catalog(server, shop, staff.id, await logIn(server, staff));
  }

  /** Returns the whole answer, including errors. */
  ask(operation: keyof typeof documents, variables: Record<string, unknown>): Promise<GraphqlAnswer> {
    return this.query(documents[operation], variables);
  }

  query(document: string, variables: Record<string, unknown> = {}): Promise<GraphqlAnswer> {
    return askGraphql(this.#server, document, { shopId: this.shop.id, ...variables }, this.#session);
  }

  /** Performs the operation and returns its answer. @throws when it is refused */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  async do(operation: keyof typeof documents, variables: Record<string, unknown>): Promise<any> {
    const { data, errors } = await this.ask(operation, variables);
    if (errors.length > 0) throw new Error(`${operation} was refused: ${JSON.stringify(errors)}`);
    return operation === "product" ? data.shop.product : data[operation];
  }

  /** Creates a product with the given sizes. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  async createShirt(sizes: string[] = ["S", "M"]): Promise<any> {
    const variants = sizes.map((size) => ({ optionValues: [size], price: "10", sku: `SHIRT-${size}` }));
    return this.do("createProduct", { input: { title: "Shirt", optionNames: ["Size"], variants } });
  }

  /** The error of a refused operation: the code, and a line for each issue. */
  async refusal(operation: keyof typeof documents, variables: Record<string, unknown>): Promise<string[]> {
    const { data, errors } = await this.ask(operation, variables);
    if (errors.length !== 1) throw new Error(`${operation} was not refused: ${JSON.stringify({ data, errors })}`);
    const { code, issues = [] } = errors[0]!.extensions as RefusalExtensions;
    return [code, ...issues.map((issue) => `${issue.path}: ${issue.code}`)];
  }
}

interface RefusalExtensions {
  code: string;
  issues?: { path: string; code: string }[];
}
