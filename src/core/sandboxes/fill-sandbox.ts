import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { SandboxContent, SandboxState, Shop } from "../model/shops/shop.entity.ts";
import { emptySandbox } from "../moves/delete-shop.sql.ts";
import type { RowKey } from "../queries/row-key.ts";
import { transactional } from "../queries/transaction.ts";
import { lockShop } from "../shops/shops.ts";
import { copyProducts } from "./copy-products.ts";
import { fillShop } from "./sample/fill-shop.ts";

const SIZE = { products: 120, customers: 60, orders: 90, days: 40 };

/** Empties a sandbox, or makes its next records in one transaction. Opens it after the last ones. */
export async function fillBatch(em: EntityManager, { shopId }: Pick<RowKey, "shopId">): Promise<"more" | "ended"> {
  const startedAt = performance.now();
  if ((await findFilling(em, shopId))?.sandboxCursor === null) {
    await emptySandbox(em, shopId);
    await em.nativeUpdate(Shop, { id: shopId, sandboxCursor: null }, { sandboxCursor: "" });
    return "more";
  }
  const last = await transactional(em, (inside) => makeRecords(inside, shopId));
  if (last === undefined) return "ended";
  // Leaves half of the database's time to others.
  await wait(performance.now() - startedAt);
  return "more";
}

/** Returns the last copied product, if more may follow. */
async function makeRecords(em: EntityManager, shopId: string): Promise<string | undefined> {
  await lockShop(em, shopId);
  const sandbox = await findFilling(em, shopId);
  if (!sandbox) return undefined;
  const { sandboxContent, sandboxCursor } = sandbox;
  if (sandboxContent === SandboxContent.SAMPLE) await fillShop(em, sandbox, SIZE);
  const isCopy = sandboxContent === SandboxContent.PRODUCTS;
  const last = isCopy ? await copyProducts(em, sandbox, sandboxCursor!, SIZE) : undefined;
  if (last === undefined) await endFilling(em, shopId, SandboxState.READY);
  else await em.nativeUpdate(Shop, { id: shopId }, { sandboxCursor: last });
  return last;
}

/** Opens a sandbox as it is, unless it is being deleted. */
export async function endFilling(em: EntityManager, id: string, sandboxState: SandboxState): Promise<void> {
  await em.nativeUpdate(Shop, isFilling(id), { sandboxState, closedAt: null });
}

const isFilling = (id: string) => ({ id, sandboxState: SandboxState.FILLING, deletionStartedAt: null });

function findFilling(em: EntityManager, id: string): Promise<Shop | null> {
  return em.findOne(Shop, isFilling(id), { populate: ["sandboxCursor"], disableIdentityMap: true });
}
