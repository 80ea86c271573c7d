import { operator } from "../../../../src/core/access/actor.ts";
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
import { askGraphql, documentOf, type GraphqlAnswer } from "../../graphql.ts";
import type { TestServer } from "../../server.ts";

export type Variables = Record<string, unknown>;

/** One use of a mutation, and every event that it records. */
export type Scenario = {
  /** The circumstances, which end the test's title. */
  when: string;
  /** Creates what it needs and returns the mutation's variables without the shop. */
  given: (scene: Scene) => Variables | Promise<Variables>;
  /** The error codes, including those of items. None by default. */
  refused?: string[];
} & ({ emits: Topic[]; unchanged?: never } | { emits?: never; unchanged: true });

/** By the name of the mutation. */
export type Scenarios = Record<string, Scenario[]>;

interface SceneOptions {
  server: TestServer;
  owner: TestStaff;
  session: { cookie: string };
}

/** A new shop with a logged-in owner and an endpoint that subscribes to everything. */
export class Scene {
  shop!: Shop;
  /** Two variants at 10.00 with ten units each. */
  mug!: CreatedProduct;
  /** One variant at 5.00 with ten units. */
  plate!: CreatedProduct;
  /** Has 50.00 of store credit. */
  customer!: { id: string };
  session: { cookie: string };
  readonly server: TestServer;

  private constructor({ server, session }: SceneOptions) {
    this.server = server;
    this.session = session;
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
      { em, shop: this.shop, actor: operator },
      { title: "Mug", optionNames: ["Size"], variants },
    );
    this.plate = await buildProduct(em, this.shop, { title: "Plate", price: "5.00", inventoryQuantity: 10 });
    const customer = await buildCustomer(em, this.shop);
    await grantStoreCredit(em, customer, "50.00");
    this.customer = customer;
  }

  async ask(mutation: string, variables: Variables): Promise<GraphqlAnswer> {
    return askGraphql(this.server, documentOf(mutation), { shopId: this.shop.id, ...variables }, this.session);
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

/** The scenario of a repeated request with the same idempotency key. */
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
