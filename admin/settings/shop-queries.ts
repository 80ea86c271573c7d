import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { viewerQuery } from "../queries.ts";
import { graphql, request } from "../request.ts";
import { isZero } from "../ui/values/money.ts";
import { toast } from "../ui/toasts.tsx";
import { copy } from "./copy.ts";

const Settings = graphql(`
  query ShopSettings($shopId: ID!) {
    shop(id: $shopId) {
      name
      pricesIncludeTax
      defaultTaxRate
      cashRounding
      cashRoundings
      usualCashRounding
      allowsOverselling
      requiresSecondFactor
      createdAt
    }
    viewer {
      memberships {
        shop {
          id
        }
        notificationSettings {
          kind
          enabled
        }
      }
    }
  }
`);

const PriceExample = graphql(`
  query PriceExample($shopId: ID!) {
    shop(id: $shopId) {
      products(limit: 20, status: ACTIVE) {
        items {
          title
          variants {
            price
          }
        }
      }
    }
  }
`);

const UpdateShop = graphql(`
  mutation UpdateShop($shopId: ID!, $input: UpdateShopInput!) {
    updateShop(shopId: $shopId, input: $input) {
      id
    }
  }
`);

const UpdateNotifications = graphql(`
  mutation UpdateNotificationSettings($shopId: ID!, $settings: [NotificationSettingInput!]!) {
    updateNotificationSettings(shopId: $shopId, settings: $settings) {
      kind
    }
  }
`);

export const CreateSandbox = graphql(`
  mutation CreateSandbox($shopId: ID!, $content: SandboxContent!) {
    createSandbox(shopId: $shopId, content: $content) {
      id
    }
  }
`);

export const ResetSandbox = graphql(`
  mutation ResetSandbox($shopId: ID!, $content: SandboxContent!) {
    resetSandbox(shopId: $shopId, content: $content) {
      id
    }
  }
`);

const SimulationChoices = graphql(`
  query SimulationChoices($shopId: ID!) {
    webhookTopics {
      name
    }
    shop(id: $shopId) {
      apiKeys(limit: 50, status: ACTIVE) {
        items {
          id
          name
        }
      }
    }
  }
`);

export const SimulateOrder = graphql(`
  mutation SimulateOrder($shopId: ID!, $state: SimulatedOrderState!) {
    simulateOrder(shopId: $shopId, state: $state) {
      id
    }
  }
`);

export const SimulateEvent = graphql(`
  mutation SimulateEvent($shopId: ID!, $topic: String!, $recordId: ID) {
    simulateEvent(shopId: $shopId, topic: $topic, recordId: $recordId)
  }
`);

export const SimulateFailures = graphql(`
  mutation SimulateFailures($shopId: ID!, $keyId: ID!, $count: Int!, $kind: SimulatedFailure!) {
    simulateFailures(shopId: $shopId, keyId: $keyId, count: $count, kind: $kind) {
      id
    }
  }
`);

type Membership = NonNullable<ResultOf<typeof Settings>["viewer"]>["memberships"][number];
export type NotificationSetting = Membership["notificationSettings"][number];

export const settingsQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["settings", shopId],
    queryFn: ({ signal }) => request(Settings, { shopId }, { signal }),
    select: ({ shop, viewer }) => ({
      ...shop!,
      notifications:
        viewer?.memberships.find((membership) => membership.shop.id === shopId)?.notificationSettings ?? [],
    }),
  });

/** The topics and the active API keys, as options. */
export const simulationsQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "simulations"],
    queryFn: ({ signal }) => request(SimulationChoices, { shopId }, { signal }),
    select: ({ webhookTopics, shop }) => ({
      topics: webhookTopics.map(({ name }) => [name, name] as const),
      keys: shop!.apiKeys.items.map(({ id, name }) => [id, name] as const),
    }),
  });

/** A product for sale that is not free, or undefined. */
export const priceExampleQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "price-example"],
    queryFn: ({ signal }) => request(PriceExample, { shopId }, { signal }),
    select: ({ shop }) =>
      shop!.products.items
        .flatMap(({ title, variants }) => variants.map(({ price }) => ({ title, price })))
        .find(({ price }) => !isZero(price)),
  });

/** Changes a setting of the shop. The page shows the new value after the server has saved it. */
export function useShopChange(shopId: string) {
  return useChange(shopId, (input: VariablesOf<typeof UpdateShop>["input"]) => request(UpdateShop, { shopId, input }));
}

export function useNotificationChange(shopId: string) {
  return useChange(shopId, (setting: NotificationSetting) =>
    request(UpdateNotifications, { shopId, settings: [setting] }),
  );
}

function useChange<Input, Result>(shopId: string, change: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ["settings", shopId] }),
        client.invalidateQueries(viewerQuery),
      ]);
      toast(copy.saved);
    },
  });
}
