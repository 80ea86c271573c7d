import { expect } from "chai";
import type { CurrentShop } from "../../../src/core/model/shops/current-shop.ts";
import type { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { eventually } from "../eventually.ts";
import { buildStaff } from "../factories.ts";
import { askGraphql, logIn } from "../graphql.ts";
import type { TestServer } from "../server.ts";

const CHUNK = 256 * 1024;

const FIELDS = `id state failure itemCount faultyCount problemCount doneCount createdCount updatedCount unchangedCount
  refusedCount refusals { row message } secondsLeft format { source encoding encodings { name samples } delimiter columns unreadColumns questions notes { message count row } }
  items { number firstRow lastRow name status variantTitles prices inventoryQuantity email phone }
  faulty: items(areFaulty: true) { number problems { row column value message remedy } }`;

const DOCUMENTS = {
  createImport: `mutation ($shopId: ID!, $input: CreateImportInput!) { createImport(shopId: $shopId, input: $input) { ${FIELDS} } }`,
  checkImport: `mutation ($shopId: ID!, $id: ID!, $input: CheckImportInput! = {}) { checkImport(shopId: $shopId, id: $id, input: $input) { ${FIELDS} } }`,
  startImport: `mutation ($shopId: ID!, $id: ID!, $input: StartImportInput!) { startImport(shopId: $shopId, id: $id, input: $input) { ${FIELDS} } }`,
  cancelImport: `mutation ($shopId: ID!, $id: ID!) { cancelImport(shopId: $shopId, id: $id) { ${FIELDS} } }`,
};

/** Imports files into a shop as a caller. */
export class Importing {
  constructor(
    readonly server: Pick<TestServer, "url">,
    readonly shopId: string,
    readonly headers: { cookie: string } | { authorization: string },
  ) {}

  /** As a member of the shop. */
  static async open(server: TestServer, shop: CurrentShop, role?: Role): Promise<Importing> {
    return new Importing(server, shop.id, await logIn(server, await buildStaff(server.em, shop, role)));
  }

  /** Runs a mutation, and returns its answer. */
  ask(name: keyof typeof DOCUMENTS, variables: object) {
    return askGraphql(this.server, DOCUMENTS[name], { shopId: this.shopId, ...variables }, { ...this.headers });
  }

  /** Runs a mutation that must succeed. */
  async change(name: keyof typeof DOCUMENTS, variables: object) {
    const { data, errors } = await this.ask(name, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data[name];
  }

  async read(id: string) {
    const query = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { import(id: $id) { ${FIELDS} } } }`;
    const { data, errors } = await askGraphql(this.server, query, { shopId: this.shopId, id }, { ...this.headers });
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data.shop.import;
  }

  put(id: string, number: number, body: Buffer, headers: Record<string, string> = {}) {
    return fetch(`${this.server.url}/imports/${this.shopId}/${id}/${number}`, {
      method: "PUT",
      headers: { ...this.headers, ...headers },
      body: new Uint8Array(body),
    });
  }

  /** Creates an import and uploads its file. Returns the id. */
  async upload(kind: "PRODUCTS" | "CUSTOMERS", text: string | Buffer): Promise<string> {
    const file = Buffer.from(text);
    const { id } = await this.change("createImport", { input: { kind, fileName: "file.csv", fileSize: file.length } });
    for (let number = 0; number * CHUNK < file.length; number += 1) {
      const { status } = await this.put(id, number, file.subarray(number * CHUNK, (number + 1) * CHUNK));
      expect(status).to.equal(204);
    }
    return id;
  }

  /** Uploads a file and waits until it is checked. */
  async check(kind: "PRODUCTS" | "CUSTOMERS", text: string | Buffer) {
    const id = await this.upload(kind, text);
    await this.change("checkImport", { id });
    return eventually(
      () => this.read(id),
      ({ state }) => state !== "CHECKING",
    );
  }

  /** Imports a file and returns its report. */
  async run(
    kind: "PRODUCTS" | "CUSTOMERS",
    text: string | Buffer,
    input: { existing?: string; stock?: string; sendWebhooks?: boolean } = {},
  ) {
    const { id } = await this.check(kind, text);
    await this.change("startImport", { id, input: { existing: "UPDATE", ...input } });
    return this.ended(id);
  }

  ended(id: string) {
    return eventually(
      () => this.read(id),
      ({ state }) => !["CHECKING", "CHECKED", "RUNNING"].includes(state),
    );
  }
}
