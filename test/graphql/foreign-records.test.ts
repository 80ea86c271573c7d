import { expect } from "chai";
import { newId } from "../../src/core/model/ids.ts";
import { createSchema } from "../../src/core/schema.ts";
import { readShopRows, type ShopRows } from "../support/postgres/shop-rows.ts";
import { fieldsOf, type SchemaField } from "../support/requests/schema-calls.ts";
import { buildFullShop, type FullShop } from "../support/shops/full-shop.ts";
import { useServer } from "../support/server.ts";
import { World } from "../support/world.ts";

const NAME = { input: { name: "Mine" } };
const MONEY = { input: { amount: "1", reason: "Mine" } };
const LEASED = { ids: [newId("whd")] };

/** The noun and the operations of each table's records. They are refused, with these variables, or answer null or false. */
const operations: Record<string, [noun: string, Record<string, object | null | false>]> = {
  products: [
    "Product",
    {
      product: null,
      updateProduct: { input: { title: "Mine" } },
      createVariant: { input: { price: "1", optionValues: ["XL"] } },
      deleteProduct: false,
    },
  ],
  variants: ["Variant", { variant: null, updateVariant: { input: { sku: "MINE" } }, deleteVariant: {} }],
  orders: [
    "Order",
    {
      order: null,
      updateOrder: { input: { notes: "Mine" } },
      recordPayment: { input: { method: "CASH", amount: "1" } },
      fulfillOrder: {},
      cancelOrder: {},
      refundOrder: { input: { amount: "1" } },
    },
  ],
  payments: ["Payment", { settlePayment: { input: { status: "FAILED" } } }],
  customers: [
    "Customer",
    {
      customer: null,
      updateCustomer: { input: { note: "Mine" } },
      grantStoreCredit: MONEY,
      spendStoreCredit: MONEY,
      exportCustomer: {},
      eraseCustomer: { input: { includeNotes: true } },
    },
  ],
  api_keys: [
    "API key",
    {
      apiKey: null,
      updateApiKey: NAME,
      setAllowedAddresses: { allowedAddresses: [] },
      rotateApiKey: { input: {} },
      revokeApiKey: {},
    },
  ],
  service_tokens: ["Service token", { updateServiceToken: NAME, revokeServiceToken: {} }],
  memberships: ["Member", { changeMemberRole: { role: "VIEWER" }, endMemberSessions: {}, removeMember: false }],
  invitations: ["Invitation", { revokeInvitation: false }],
  imports: [
    "Import",
    { import: null, checkImport: {}, startImport: { input: { existing: "STOP" } }, cancelImport: {} },
  ],
  webhook_endpoints: [
    "Webhook endpoint",
    {
      webhookEndpoint: null,
      updateWebhookEndpoint: { input: { paused: true } },
      rotateWebhookSecret: { input: {} },
      activateWebhookSecret: {},
      takeOverWebhookEndpoint: {},
      sendTestEvent: {},
      checkReceiver: {},
      replayFailedDeliveries: { since: "2026-01-31T09:30:00.000Z" },
      receiveEvents: {},
      acknowledgeEvents: LEASED,
      extendLease: { ...LEASED, leaseSeconds: 60 },
      releaseEvents: LEASED,
      deleteWebhookEndpoint: false,
    },
  ],
  deliveries: ["Webhook delivery", { webhookDelivery: null, replayDelivery: {} }],
};
/** Of a login, and of a sandbox. */
const others = ["endSession", "simulateFailures"];

const schema = createSchema();
const fields = [...fieldsOf(schema, "Shop"), ...fieldsOf(schema, "Mutation")];
const idOf = ({ args }: SchemaField) =>
  args.find(({ name, type }) => name !== "shopId" && String(type) === "ID!")?.name;

describe("A record of another shop", () => {
  const own = new World(useServer());
  let foreign: FullShop;

  const readForeign = async () => {
    const rows = await readShopRows(own.server, foreign.shop);
    // A use of the key is written some time after it.
    return { ...rows, api_keys: rows.api_keys!.map((row) => ({ ...row, last_used_at: null })) } as ShopRows;
  };

  before(async () => {
    foreign = await buildFullShop(own.server, "https://receiver.example/hooks");
    const other = Object.assign(new World(own.server), { shop: foreign.shop, staff: foreign.owner });
    await other.run("createImport", { input: { kind: "PRODUCTS", fileName: "file.csv", fileSize: 1 } });
    await own.open();
  });

  it("is tested with each operation that takes its ID", () => {
    const names = Object.values(operations).flatMap(([, ofRecord]) => Object.keys(ofRecord));
    const known = fields.filter((field) => idOf(field)).map(({ name }) => name);
    expect([...names, ...others]).to.have.members(known);
  });

  for (const [table, [noun, ofRecord]] of Object.entries(operations)) {
    it(`looks like none, and does not change: ${noun}`, async () => {
      const before = await readForeign();
      const [{ id, staff_id: staffId }] = before[table] as [Record<string, string>];
      for (const [name, variables] of Object.entries(ofRecord)) {
        const argument = idOf(fields.find((field) => field.name === name)!)!;
        for (const unknown of [id ?? staffId, newId("prod"), "nonsense", "", "\0", "\ud800"]) {
          const { data, errors } = await own.send(name, { ...variables, [argument]: unknown });
          const refusals = errors.map(({ message, extensions }) => `${extensions.code} ${message}`);
          expect(refusals, `${name} ${unknown}`).to.deep.equal(variables ? [`NOT_FOUND ${noun} not found`] : []);
          if (!variables) expect((data.shop ?? data)[name], name).to.equal(variables);
        }
      }
      expect(await readForeign()).to.deep.equal(before);
    });
  }
});
