import { OptionalProps } from "@mikro-orm/core";
import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { ID, ObjectType } from "type-graphql";
import { z } from "zod";
import { CreatedRow } from "../created-row.ts";
import { TimestampScalar } from "../scalars.ts";
import { rowOf } from "../column.ts";
import { editable, storedFields } from "../editable.ts";
import { line } from "../text.ts";
import { inOrder, topicNames } from "./topics.ts";
import { field, nullable } from "../fields.ts";

/** The URL of pull endpoints. No endpoint can be sent to it: the domain is reserved for names that do not exist (RFC 2606). */
export const PULL_URL = "https://pull.invalid/";

/** What staff call an endpoint: its URL, or the description of a pull endpoint. */
export function endpointName({ url, description }: Pick<WebhookEndpoint, "url" | "description">): string {
  return url === PULL_URL ? (description ?? "Pull endpoint") : url;
}

const ignoresNull = true;

/** The settings of an endpoint. URLs are checked further, by the configuration. */
export const endpointSettings = {
  topics: editable([String], z.array(z.enum(topicNames)).min(1).transform(inOrder), {
    description: "The topics that the endpoint subscribes to.",
    limits: "All topics to subscribe to, such as product.created. At least one.",
    ignoresNull,
  }),
  description: editable(String, line({ max: 255 }).nullable().default(null), {
    description: "The description by staff.",
    limits: "A description of the endpoint, 1 to 255 characters after trimming, in one line.",
  }),
  url: editable(String, z.string(), {
    description: `The URL that deliveries are sent to, normalized (WHATWG). Without its query for callers who may not change the endpoint. ${PULL_URL} for a pull endpoint, which has none.`,
    limits:
      "The https:// URL to send deliveries to, with port 443, or 1024 and above. At most 2048 characters once normalized (WHATWG).",
    ignoresNull,
  }),
  paused: editable(Boolean, z.boolean(), {
    description: "Whether the endpoint is paused. Deliveries wait, and keep their attempts.",
    limits: "Whether to pause the endpoint. Deliveries wait, and are sent once this is false again.",
    ignoresNull,
  }),
};

@Entity({ tableName: "webhook_endpoints" })
@ObjectType({
  description:
    "A URL that receives the shop's events, or a pull endpoint, from which services receive them. While the endpoint is paused, events are kept until it is resumed.",
  simpleResolvers: true,
})
export class WebhookEndpoint extends rowOf(CreatedRow, {
  ...storedFields(endpointSettings),
  fields: field(
    [String],
    "The fields that the endpoint asks for, such as product.updated.price. An event that changed none of its topic's is not delivered. A topic without fields is always delivered.",
  ),
  ignoredActorIds: field(
    [ID],
    "The IDs of API keys, service tokens and staff whose changes are not delivered. API keys that replace one another in a rotation are listed together.",
  ),
  serviceTokenId: nullable(
    ID,
    "The ID of the service token that created the endpoint and manages it. Null for an endpoint of staff, and once staff have taken it over.",
  ),
  headerNames: field([String], "The names of the custom headers, in lowercase. Their values are never shown."),
  secretActiveAt: nullable(
    TimestampScalar,
    "When the newest secret starts to sign X-Webhook-Signature. Null before the first rotation.",
  ),
  oldSecretExpiresAt: nullable(
    TimestampScalar,
    "When the previous secret expires. Until then, webhook-signature also has a signature with it. Null before the first rotation.",
  ),
  updatedAt: field(TimestampScalar, "When the endpoint or its secret last changed."),
}) {
  [OptionalProps]?:
    | "lastFetchedAt"
    | "lastFetchedBy"
    | "paused"
    | "consecutiveFailures"
    | "failingTopics"
    | "failedProbes"
    | "replayTotal";

  /** Whether a pull endpoint is paused. Null for others. `paused` is always true for a pull endpoint. */
  @Property({ type: "boolean", nullable: true })
  pullPaused!: boolean | null;

  /** When events of a pull endpoint were last asked for, at most a minute late. */
  @Property({ type: "timestamptz", nullable: true })
  lastFetchedAt!: Date | null;

  @Property({ type: "text", nullable: true })
  lastFetchedBy!: string | null;

  /** The headers with their values, encrypted and bound to this row. Null if there are none. */
  @Property({ type: "text", nullable: true })
  sealedHeaders!: string | null;

  /** The signing secret, encrypted and bound to this row. */
  @Property({ type: "text" })
  sealedSecret!: string;

  /** Failed attempts since the last success. */
  @Property({ type: "integer", default: 0 })
  consecutiveFailures!: number;

  @Property({ type: "timestamptz", nullable: true })
  failingSince!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  lastFailedAt!: Date | null;

  /** Failed attempts of each topic since it last succeeded. */
  @Property({ type: "json", defaultRaw: "'{}'" })
  failingTopics!: Record<string, number>;

  /** The last success of another topic since then. */
  @Property({ type: "timestamptz", nullable: true })
  answeredAt!: Date | null;

  /** Set while the circuit is open: of each failing topic, only a probe is sent, from this time on. */
  @Property({ type: "timestamptz", nullable: true })
  probeAt!: Date | null;

  @Property({ type: "integer", default: 0 })
  failedProbes!: number;

  /** When staff were notified that it has failed for a day, or that events of a pull endpoint wait. */
  @Property({ type: "timestamptz", nullable: true })
  warnedAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  disabledAt!: Date | null;

  @Property({ type: "text", nullable: true })
  disabledReason!: "GONE" | "FAILING" | null;

  /** When the current replay ends. */
  @Property({ type: "timestamptz", nullable: true })
  replaysUntil!: Date | null;

  /** When the first request of the current replay was made. */
  @Property({ type: "timestamptz", nullable: true })
  replayStartedAt!: Date | null;

  /** The number of deliveries in the current replay. */
  @Property({ type: "integer", default: 0 })
  replayTotal!: number;

  /** The secret before the last rotation, also encrypted. */
  @Property({ type: "text", nullable: true })
  sealedOldSecret!: string | null;
}
