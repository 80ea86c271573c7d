import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { operator } from "../core/access/actor.ts";
import { asOperator } from "../core/access/operation.ts";
import { createApiKey } from "../core/credentials/api-keys/api-keys.ts";
import { databaseTime } from "../core/queries/database-time.ts";
import { transactional } from "../core/queries/transaction.ts";
import { permissionsByRole } from "../core/access/permissions.ts";
import { SCOPES, type Scope } from "../core/model/permissions.ts";
import { createShop } from "../core/shops/create-shop.ts";
import { Plan, Shop } from "../core/model/shops/shop.entity.ts";
import { Role } from "../core/model/staff/staff.entity.ts";
import { addMember } from "../core/staff/members/add-member.ts";
import { OperatorError } from "../platform/errors.ts";
import { makeDirectory } from "../platform/files.ts";
import { fillShop, type ShopSize } from "../core/sandboxes/sample/fill-shop.ts";

const demoSchema = z.object({
  baseUrl: z.string(),
  shops: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      plan: z.enum(Plan),
      currency: z.string(),
      apiKeys: z.array(z.object({ name: z.string(), scopes: z.array(z.enum(SCOPES)), secret: z.string() })),
      staff: z.array(z.object({ email: z.string(), password: z.string(), permissions: z.array(z.string()) })),
    }),
  ),
});

/** The content of `demo.json`: the secrets of the demo shops, in a file that only its owner can read. */
export type Demo = z.output<typeof demoSchema>;
type DemoShop = Demo["shops"][number];

/** Reads `demo.json`; undefined when there is none. @throws OperatorError when it is damaged */
export async function readDemo(file: string): Promise<Demo | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseDemo(file, text);
}

/** @throws OperatorError for a damaged file, because its secrets are not stored elsewhere */
function parseDemo(file: string, text: string): Demo {
  try {
    return demoSchema.parse(JSON.parse(text));
  } catch {
    throw new OperatorError(`${file} is damaged. To create the demo again, delete ${dirname(file)} with all its data.`);
  }
}

/** Creates the demo shops and writes their secrets to `file`, unless both exist. */
export async function ensureDemo(
  em: EntityManager,
  options: { file: string; baseUrl: string; onProgress?: (message: string) => void },
): Promise<Demo> {
  const { file, baseUrl } = options;
  const existing = await readDemo(file);
  if (existing?.shops[0] && (await em.fork().count(Shop, { id: existing.shops[0].id })) > 0) {
    return refreshBaseUrl(file, existing, baseUrl);
  }
  options.onProgress?.("Creating demo data");
  await makeDirectory(dirname(file));
  try {
    // Written before the commit, so that no demo shop exists without its secrets.
    return await transactional(em, async (transaction) => {
      const demo = { baseUrl, shops: await makeShops(transaction) };
      await writeDemo(file, demo);
      return demo;
    });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

async function refreshBaseUrl(file: string, demo: Demo, baseUrl: string): Promise<Demo> {
  if (demo.baseUrl === baseUrl) return demo;
  const refreshed = { ...demo, baseUrl };
  await writeDemo(file, refreshed);
  return refreshed;
}

async function writeDemo(file: string, demo: Demo): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
}

const DAY = 86_400_000;
const readScopes = SCOPES.filter((scope) => scope.startsWith("read_"));

async function makeShops(em: EntityManager): Promise<DemoShop[]> {
  const now = await databaseTime(em);
  const enterprise = await makeShop(em, {
    name: "Harbour Goods",
    plan: Plan.ENTERPRISE,
    keys: { "Full access": SCOPES, "Read only": readScopes, "Orders only": ["read_orders"] },
    staff: { owner: Role.OWNER, clerk: Role.CLERK },
    size: { products: 420, customers: 260, orders: 900 },
  });
  const growth = await makeShop(em, {
    name: "Corner Books",
    plan: Plan.GROWTH,
    pricesIncludeTax: true,
    cashRounding: "0.05",
    keys: { "Read only": readScopes },
    staff: { owner: Role.OWNER },
    size: { products: 60, customers: 30, orders: 80 },
  });
  const trial = await makeShop(em, {
    name: "Ended Trial",
    plan: Plan.TRIAL,
    trialEndsAt: new Date(now.getTime() + DAY),
    keys: { "Full access": SCOPES },
    staff: { owner: Role.OWNER },
    size: { products: 5, customers: 3, orders: 4 },
  });
  await em.nativeUpdate(Shop, { id: trial.id }, { trialEndsAt: new Date(now.getTime() - DAY) });
  return [enterprise, growth, trial];
}

interface ShopPlan {
  name: string;
  plan: Plan;
  trialEndsAt?: Date;
  pricesIncludeTax?: boolean;
  cashRounding?: string;
  keys: Record<string, readonly Scope[]>;
  staff: Record<string, Role>;
  size: ShopSize;
}

async function makeShop(em: EntityManager, { keys, staff, size, ...settings }: ShopPlan): Promise<DemoShop> {
  const { name, plan } = settings;
  const shop = await createShop(em, operator, { ...settings, currency: "EUR", defaultTaxRate: "19" });
  const apiKeys: DemoShop["apiKeys"] = [];
  for (const [keyName, scopes] of Object.entries(keys)) {
    const { secret } = await createApiKey(asOperator(em, shop.id), { name: keyName, scopes: [...scopes] });
    apiKeys.push({ name: keyName, scopes: [...scopes], secret });
  }
  const members: DemoShop["staff"] = [];
  for (const [person, role] of Object.entries(staff)) {
    const email = `${person}@${name.toLowerCase().replace(/\W+/g, "-")}.example`;
    const password = randomBytes(12).toString("base64url");
    await addMember(asOperator(em, shop.id), { email, password, role });
    members.push({ email, password, permissions: [...permissionsByRole[role]] });
  }
  await fillShop(em, shop, size);
  return { id: shop.id, name, plan, currency: shop.currency, apiKeys, staff: members };
}

/** First things to try, with working addresses and secrets. */
export function welcome(demo: Demo, config: { baseUrl: string; demoFile: string }): string {
  const shop = demo.shops[0]!;
  const key = shop.apiKeys[0]!;
  const owner = shop.staff[0]!;
  const { baseUrl } = config;
  const isCheckout = ["start", "dev"].includes(process.env.npm_lifecycle_event ?? "");
  const listen = isCheckout ? "npm run webhooks:listen" : "merchant-api listen";
  return `
Merchant API is ready at ${baseUrl}

  Admin              ${baseUrl}/admin/
  Staff login        ${owner.email} / ${owner.password}
  API reference      ${baseUrl}/docs?shop=${shop.id}

  List products of ${shop.name}:
    curl -H "Authorization: Bearer ${key.secret}" "${baseUrl}/api/v1/${shop.id}/products?limit=2"

  OpenAPI document   ${baseUrl}/api/v1/openapi.json
  GraphQL            ${baseUrl}/graphql
  All keys, logins   ${config.demoFile}
  See webhooks       ${listen}

Ctrl-C stops it. The data stays.`;
}
