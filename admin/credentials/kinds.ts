import type { ComponentType } from "react";
import { request } from "../request.ts";
import type { Resource, Right } from "./access.tsx";
import {
  CreateKey,
  CreateToken,
  listKeys,
  listTokens,
  RenameKey,
  RenameToken,
  RevokeKey,
  RevokeToken,
} from "./credential-queries.ts";
import { KeyExample, type KeyExampleProps } from "./key-example.tsx";
import { keys as keyTexts, tokens as tokenTexts } from "./copy.ts";

interface NewCredential<Name extends Resource> {
  name: string;
  rights: Right<Name>[];
  expiresAt: string | null;
  /** Only for API keys. */
  allowedAddresses?: string[];
}

/** What differs between API keys and service tokens. */
export interface Kind<Name extends Resource = Resource> {
  texts: Omit<typeof tokenTexts, "emptyFields"> & { emptyFields: Record<string, string> };
  resources: readonly Name[];
  /** The name of the rights in the server's input. */
  rights: "scopes" | "permissions";
  /** The rights that no route of the REST API requires. */
  withoutRoute?: readonly Right<Name>[];
  list: typeof listKeys | typeof listTokens;
  create: (shopId: string, input: NewCredential<Name>) => Promise<{ secret: string; credential: { name: string } }>;
  rename: typeof RenameKey | typeof RenameToken;
  revoke: typeof RevokeKey | typeof RevokeToken;
  /** Shown with a new secret. */
  Example?: ComponentType<KeyExampleProps>;
}

export const keys: Kind<"PRODUCTS" | "ORDERS" | "CUSTOMERS" | "INVENTORY"> = {
  texts: keyTexts,
  resources: ["PRODUCTS", "ORDERS", "CUSTOMERS", "INVENTORY"],
  rights: "scopes",
  withoutRoute: ["WRITE_ORDERS", "WRITE_CUSTOMERS", "READ_INVENTORY", "WRITE_INVENTORY"],
  list: listKeys,
  create: async (shopId, { rights, ...input }) =>
    (await request(CreateKey, { shopId, input: { ...input, scopes: rights } })).created,
  rename: RenameKey,
  revoke: RevokeKey,
  Example: KeyExample,
};

export const tokens: Kind<"PRODUCTS" | "ORDERS" | "CUSTOMERS" | "EVENTS" | "LOGS" | "DELIVERIES" | "ENDPOINTS"> = {
  texts: tokenTexts,
  resources: ["PRODUCTS", "ORDERS", "CUSTOMERS", "EVENTS", "LOGS", "DELIVERIES", "ENDPOINTS"],
  rights: "permissions",
  list: listTokens,
  create: async (shopId, { rights, ...input }) =>
    (await request(CreateToken, { shopId, input: { ...input, permissions: rights } })).created,
  rename: RenameToken,
  revoke: RevokeToken,
};
