import type { GraphQLSchema } from "graphql";
import { operator } from "../../../../src/core/access/author.ts";
import { createProduct, type CreatedProduct } from "../../../../src/core/products/create-product.ts";
import type { Shop } from "../../../../src/core/model/shops/shop.entity.ts";
import { Membership, Role } from "../../../../src/core/model/staff/staff.entity.ts";
import { topicNames, type Topic } from "../../../../src/core/model/webhooks/topics.ts";
import {
  buildCustomer,
  buildProduct,
  buildEndpoint,
  buildShop,
  grantStoreCredit,
  type TestStaff,
} from "../../factories.ts";
import { askGraphql, type GraphqlAnswer } from "../../graphql.ts";
import { mutationDocument } from "../../requests/mutation-document.ts";
import type { TestServer } from "../../server.ts";

export type Variables = Record<string, unknown>;

/** One way to use a mutation, and every event that it then records. */
export type Scenario = {
  /** The end of the scenario's sentence: its circumstances. */
  when: string;
  /** Builds what it needs; answers the mutation's variables but the shop. */
  given: (scene: Scene) => Variables | Promise<Variables>;
  /** The codes of the errors, those of items included. None by default. */
  refused?: string[];
} & ({ emits: Topic[]; unchanged?: never } | { emits?: never; unchanged: true });

/** By the name of the mutation. */
export type Scenarios = Record<string, Scenario[]>;

interface SceneOptions {
  server: TestServer;
  schema: GraphQLSchema;
  owner: TestStaff;
  session: { cookie: string };
}

/** A new shop whose owner is logged in, with an endpoint that hears of everything. */
export class Scene {
  shop!: Shop;
  /** Two variants of 10.00, ten units each. */
  mug!: CreatedProduct;
  /** One variant of 5.00, ten units. */
  plate!: CreatedProduct;
  /** Has 50.00 of store credit. */
  customer!: { id: string };
  session: { cookie: string };
  readonly server: TestServer;
  readonly #schema: GraphQLSchema;

  private constructor({ server, schema, session }: SceneOptions) {
    this.server = server;
    this.session = session;
    this.#schema = schema;
  }

  static async open(options: SceneOptions): Promise<Scene> {
    const scene = new Scene(options);
    await scene.#furnish(options.owner);
    return scene;
  }

  async #furnish(owner: TestStaff): Promise<void> {
    const { em } = this.server;
    this.shop = await buildShop(em);
    const membership = { shopId: this.shop.id, staff: owner.id, role: Role.OWNER, createdAt: new Date() };
    await em.fork().insert(Membership, membership);
    await buildEndpoint(this.server, this.shop, "https://receiver.example/everything", [...topicNames]);
    const variants = ["S", "M"].map((size) => ({ optionValues: [size], price: "10.00", inventoryQuantity: 10 }));
    this.mug = await createProduct(
      { em, shop: this.shop, author: operator },
      { title: "Mug", optionNames: ["Size"], variants },
    );
    this.plate = await buildProduct(em, this.shop, { title: "Plate", price: "5.00", inventoryQuantity: 10 });
    const customer = await buildCustomer(em, this.shop);
    await grantStoreCredit(em, customer, "50.00");
    this.customer = customer;
  }

  async ask(mutation: string, variables: Variables): Promise<GraphqlAnswer> {
    const document = mutationDocument(this.#schema, mutation);
    return askGraphql(this.server, document, { shopId: this.shop.id, ...variables }, this.session);
  }

  /** Sends the mutation and returns its answer. @throws Error when it is refused */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async do(mutation: string, variables: Variables): Promise<any> {
    const { data, errors } = await this.ask(mutation, variables);
    if (errors.length > 0) throw new Error(`${mutation} was refused: ${JSON.stringify(errors)}`);
    return data[mutation];
  }

  /** Two mugs for 20.00, by default. */
  sale(overrides: Variables = {}): { input: Variables } {
    return { input: { channel: "POS", lines: [{ variantId: this.mug.variants[0]!.id, quantity: 2 }], ...overrides } };
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  async order(overrides: Variables = {}): Promise<any> {
    return this.do("createOrder", this.sale(overrides));
  }
}

/** The scenario of a request that was answered before and is sent again. */
export function repeated(mutation: string, given: Scenario["given"]): Scenario {
  return {
    when: "sent again with its idempotency key",
    unchanged: true,
    given: async (scene) => {
      const variables = { ...(await given(scene)), idempotencyKey: "once" };
      await scene.do(mutation, variables);
      return variables;
    },
  };
}
