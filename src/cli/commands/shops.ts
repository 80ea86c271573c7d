import { operator } from "../../core/access/actor.ts";
import { asOperator } from "../../core/access/operation.ts";
import { closeShop as close, openShop as open } from "../../core/moves/close-shop.ts";
import { deleteShop as destroy } from "../../core/moves/delete-shop.sql.ts";
import { createShop as create } from "../../core/shops/create-shop.ts";
import { extendTrial as extend, setPlan as set } from "../../core/shops/plans/set-plan.ts";
import { listShops as list } from "../../core/shops/shops.ts";
import type { Plan, SandboxContent } from "../../core/model/shops/shop.entity.ts";
import { createSandbox, resetSandbox } from "../../core/sandboxes/sandboxes.ts";
import { summarizeShop, type ShopSummary } from "../../core/shops/summarize-shop.ts";
import { updateShop } from "../../core/shops/update-shop.ts";
import type { App } from "../../app.ts";
import { progress } from "../../platform/terminal.ts";
import { printRow, printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../open-app.ts";
import { readInstant } from "../read-instant.ts";

export interface ShopOptions {
  name: string;
  /** Not checked here: the operation does. */
  plan: string;
  currency: string;
  trialEnds?: string;
  pricesIncludeTax?: boolean;
  /** Decimal, in the currency. Not checked here: the operation does. */
  cashRounding?: string;
  /** Not checked here: the operation does. */
  defaultTaxRate?: string;
}

/** Options of commands for one shop. */
interface OneShop extends OutputOptions {
  shop: string;
}

/** Creates a shop and prints its id. */
export function createShop({ plan, trialEnds, ...options }: ShopOptions): Promise<void> {
  const trialEndsAt = readTrialEnd(trialEnds);
  return runOnce(async ({ core }) => {
    const shop = await create(core.orm.em, operator, { ...options, plan: plan as Plan, trialEndsAt });
    console.log(shop.id);
  });
}

/** Prints every shop, with its plan. */
export function listShops(output: OutputOptions): Promise<void> {
  return runOnce(async ({ core }) => {
    const shops = await list(core.orm.em);
    const rows = shops.map(({ id, name, plan, trialEndsAt, currency, closedAt, movedTo, createdAt }) => {
      return { id, name, plan, trialEndsAt, currency, closedAt, movedTo: movedTo ?? null, createdAt };
    });
    printRows(rows, output);
  });
}

/** Prints a shop, its plan's limits and their use. */
export function showShop({ shop, ...output }: OneShop): Promise<void> {
  return runOnce(async (app) => void (await show(app, shop, output)));
}

/** Sets a plan, and reports the effect on keys and endpoints. */
export function setPlan({ shop, plan, trialEnds, ...output }: OneShop & { plan: string; trialEnds?: string }) {
  const trialEndsAt = readTrialEnd(trialEnds);
  return runOnce(async (app) => {
    await set(asOperator(app.core.orm.em, shop), { plan: plan as Plan, trialEndsAt });
    reportPlanEffects(await show(app, shop, output));
  });
}

export function extendTrial({ shop, until, ...output }: OneShop & { until: string }): Promise<void> {
  const trialEndsAt = readInstant("--until", until);
  return runOnce(async (app) => {
    await extend(asOperator(app.core.orm.em, shop), trialEndsAt);
    await show(app, shop, output);
  });
}

export function renameShop({ shop, name, ...output }: OneShop & { name: string }): Promise<void> {
  return runOnce(async (app) => {
    await updateShop(asOperator(app.core.orm.em, shop), { name });
    await show(app, shop, output);
  });
}

export function closeShop({ shop, ...output }: OneShop): Promise<void> {
  return runOnce(async (app) => {
    await close(asOperator(app.core.orm.em, shop));
    await show(app, shop, output);
  });
}

export function openShop({ shop, ...output }: OneShop): Promise<void> {
  return runOnce(async (app) => {
    await open(asOperator(app.core.orm.em, shop));
    await show(app, shop, output);
  });
}

/** Creates or resets a sandbox, and prints its id. */
export function makeSandbox({ shop, content, reset }: { shop: string; content: string; reset?: true }): Promise<void> {
  return runOnce(async ({ core }) => {
    const make = reset ? resetSandbox : createSandbox;
    console.log((await make(asOperator(core.orm.em, shop), { content: content as SandboxContent })).id);
  });
}

/** Deletes a closed shop. */
export function deleteShop({ shop, confirm, ...output }: OneShop & { confirm: string }): Promise<void> {
  return runOnce(async ({ core }, _config, signal) => {
    const options = { confirm, signal, onProgress: progress };
    printRow(await destroy(asOperator(core.orm.em, shop), options), output);
  });
}

function readTrialEnd(trialEnds: string | undefined): Date | null {
  return trialEnds === undefined ? null : readInstant("--trial-ends", trialEnds);
}

async function show({ core }: App, shopId: string, output: OutputOptions): Promise<ShopSummary> {
  const summary = await summarizeShop(core.orm.em.fork(), shopId);
  printRow(summary, output);
  return summary;
}

function reportPlanEffects(shop: ShopSummary): void {
  const { apiKeys, apiKeysAllowed, webhookEndpoints, webhookEndpointsAllowed, withheldScopes } = shop;
  if (apiKeysAllowed === 0) {
    if (apiKeys > 0) progress(`The API keys (${apiKeys}) are kept, but all their requests are refused`);
    if (webhookEndpoints > 0) {
      progress(
        `The webhook endpoints (${webhookEndpoints}) are kept. Missed deliveries can be replayed after an upgrade`,
      );
    }
    return;
  }
  if (apiKeys > apiKeysAllowed) {
    progress(
      `All API keys (${apiKeys}) stay active. No new ones can be created while the shop has ${apiKeysAllowed} or more`,
    );
  }
  if (webhookEndpoints > webhookEndpointsAllowed) {
    progress(
      `All webhook endpoints (${webhookEndpoints}) stay active. No new ones can be created while the shop has ${webhookEndpointsAllowed} or more`,
    );
  }
  if (withheldScopes.length > 0) progress(`The plan withholds these scopes from keys: ${withheldScopes.join(", ")}`);
}
