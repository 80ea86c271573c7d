import type { EntityManager } from "@mikro-orm/postgresql";
import { SandboxContent, SandboxState, Shop } from "../model/shops/shop.entity.ts";
import { emptySandbox } from "../moves/delete-shop.sql.ts";
import type { RowKey } from "../queries/row-key.ts";
import { transactional } from "../queries/transaction.ts";
import { lockShop } from "../shops/shops.ts";
import { copyProducts } from "./copy-products.ts";
import { fillShop } from "./sample/fill-shop.ts";

const SIZE = { products: 120, customers: 60, orders: 90, days: 40 };

/**
 * Empties a sandbox, or makes its next records in one transaction. Opens it after the last ones, and otherwise returns
 * true: more follow.
 */
export async function fillBatch(em: EntityManager, { shopId }: Pick<RowKey, "shopId">): Promise<boolean> {
  if ((await findFilling(em, shopId))?.sandboxCursor === null) {
    await emptySandbox(em, shopId);
    await em.nativeUpdate(Shop, { id: shopId, sandboxCursor: null }, { sandboxCursor: "" });
    return true;
  }
  return transactional(em, async (inside) => {
    await lockShop(inside, shopId);
    const sandbox = await findFilling(inside, shopId);
    if (!sandbox) return false;
    const { sandboxContent, sandboxCursor } = sandbox;
    if (sandboxContent === SandboxContent.SAMPLE) await fillShop(inside, sandbox, SIZE);
    const isCopy = sandboxContent === SandboxContent.PRODUCTS;
    const last = isCopy ? await copyProducts(inside, sandbox, sandboxCursor!, SIZE) : undefined;
    if (last === undefined) await endFilling(inside, shopId, SandboxState.READY);
    else await inside.nativeUpdate(Shop, { id: shopId }, { sandboxCursor: last });
    return last !== undefined;
  });
}

/** Opens a sandbox as it is, unless it is being deleted. */
export async function endFilling(em: EntityManager, id: string, sandboxState: SandboxState): Promise<void> {
  await em.nativeUpdate(Shop, isFilling(id), { sandboxState, closedAt: null });
}

const isFilling = (id: string) => ({ id, sandboxState: SandboxState.FILLING, deletionStartedAt: null });

function findFilling(em: EntityManager, id: string): Promise<Shop | null> {
  return em.findOne(Shop, isFilling(id), { populate: ["sandboxCursor"], disableIdentityMap: true });
}
