import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { askGraphql } from "../graphql.ts";

interface Target {
  url: string;
  token: string;
  shopId: string;
  /** Between the changes of a writer. Milliseconds. */
  pause?: number;
  /** Ten by default. */
  writers?: number;
}

type Change = [field: string, declared: string, given: string, variables: Record<string, unknown>];

/** What a change selects besides the id. */
const answers: Record<string, string> = { createProduct: "variants { id }", createOrder: "notes" };

const anyOf = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)]!;

/** Writers that change products, stock, customers and orders of a shop at random. */
export class RandomChanges {
  /** The changes that the server confirmed. */
  confirmed = 0;
  /** The ids of confirmed new products. */
  readonly created: string[] = [];
  /** The notes of confirmed orders. An order that fails is created again with the same idempotency key, its note. */
  readonly orders: string[] = [];
  /** The messages of changes that found no server. */
  readonly unavailable: string[] = [];
  readonly #target: Target;
  readonly #variants: string[] = [];
  readonly #customers: string[] = [];
  #isOver = false;
  readonly #writers: Promise<void>[];

  constructor(target: Target) {
    this.#target = target;
    this.#writers = Array.from({ length: target.writers ?? 10 }, () => this.#write());
  }

  /** Settles when no writer changes anything any more. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writers);
  }

  async #write(): Promise<void> {
    const { url, token, shopId, pause = 0 } = this.#target;
    let again: Change | undefined;
    while (!this.#isOver) {
      const change = again ?? this.#choose();
      const [field, declared, given, variables] = change;
      const document = `mutation ($shopId: ID!, ${declared}) { ${field}(shopId: $shopId, ${given}) { id ${answers[field] ?? ""} } }`;
      const headers = { authorization: `Bearer ${token}` };
      // A change that fails was not confirmed: it is committed, or not.
      const { data, errors } = await askGraphql({ url }, document, { shopId, ...variables }, headers).catch(
        (error: Error) => ({ data: null, errors: [{ message: error.message, extensions: { code: "UNAVAILABLE" } }] }),
      );
      const lost = errors.filter(({ extensions }) => extensions?.code === "UNAVAILABLE");
      this.unavailable.push(...lost.map(({ message }) => message));
      const isDone = data !== null && errors.length === 0;
      if (isDone) this.#note(data);
      else await wait(20);
      again = field === "createOrder" && !isDone ? change : undefined;
      await wait(pause);
    }
  }

  #choose(): Change {
    const input = "$input: ";
    const key = randomUUID();
    const product = { title: randomUUID(), variants: [{ price: "2.5", inventoryQuantity: 1_000 }] };
    const customer = { email: `${randomUUID()}@example.com` };
    const all: (Change | false)[] = [
      ["createProduct", `${input}CreateProductInput!`, "input: $input", { input: product }],
      ["createCustomer", `${input}CreateCustomerInput!`, "input: $input", { input: customer }],
      this.created.length > 0 && [
        "updateProduct",
        `$id: ID!, ${input}UpdateProductInput!`,
        "id: $id, input: $input",
        { id: anyOf(this.created), input: { title: randomUUID() } },
      ],
      this.#customers.length > 0 && [
        "updateCustomer",
        `$id: ID!, ${input}UpdateCustomerInput!`,
        "id: $id, input: $input",
        { id: anyOf(this.#customers), input: { firstName: randomUUID() } },
      ],
      this.#variants.length > 0 && [
        "createOrder",
        `${input}CreateOrderInput!, $key: String!`,
        "input: $input, idempotencyKey: $key",
        { input: { channel: "POS", notes: key, lines: [{ variantId: anyOf(this.#variants), quantity: 1 }] }, key },
      ],
    ];
    return anyOf(all.filter((change) => change !== false));
  }

  #note(data: Record<string, { id: string; notes?: string; variants?: { id: string }[] }>): void {
    const [[field, { id, notes, variants = [] }]] = Object.entries(data) as [[string, (typeof data)[string]]];
    this.confirmed += 1;
    if (field === "createOrder") this.orders.push(notes!);
    if (field === "createProduct") this.created.push(id);
    if (field === "createCustomer") this.#customers.push(id);
    this.#variants.push(...variants.map((variant) => variant.id));
  }
}
