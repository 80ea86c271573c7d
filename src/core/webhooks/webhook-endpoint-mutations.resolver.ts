import { Arg, Authorized, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { changedFields, newRecordFields, newRecordOf } from "../model/editable.ts";
import { field, inputOf, nullable } from "../model/fields.ts";
import { orOwn, Permission } from "../model/permissions.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { endpointSettings, WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";
import { Claim, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { Changes, Id } from "../mutations/operation-arguments.ts";
import { filterFields } from "./endpoints/endpoint-filters.ts";
import { MAX_HEADERS, MAX_NAME_LENGTH, MAX_VALUE_LENGTH } from "./endpoints/endpoint-headers.ts";
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  takeOverWebhookEndpoint,
  updateWebhookEndpoint,
} from "./endpoints/endpoints.ts";
import { activateWebhookSecret, rotateWebhookSecret } from "./endpoints/signing-secrets.ts";
import { answerWebhookEndpoint, type ListedWebhookEndpoint } from "./health/read-endpoints.ts";

@InputType({ description: "A custom header of an endpoint." })
class WebhookHeaderInput extends inputOf({
  name: field(
    String,
    `The name (RFC 9110), in any case. At most ${MAX_NAME_LENGTH} characters. Headers that are set automatically are not allowed: Content-*, Webhook-*, X-Webhook-*, Host, User-Agent and similar.`,
  ),
  value: field(
    String,
    `The value. 1 to ${MAX_VALUE_LENGTH} visible ASCII characters after trimming, with spaces and tabs between them. Stored encrypted and never shown.`,
  ),
}) {}

const { topics, description, url } = endpointSettings;

@InputType({ description: "A new pull endpoint." })
class CreatePullEndpointInput extends newRecordOf({ topics, description, ...filterFields }) {}

@InputType({ description: "A new webhook endpoint." })
class CreateWebhookEndpointInput extends inputOf({
  ...newRecordFields({ topics, description, url, ...filterFields }),
  headers: nullable(
    [WebhookHeaderInput],
    `Custom headers to send with each delivery, such as Authorization. At most ${MAX_HEADERS}, each name once.`,
  ),
}) {}

@InputType({ description: "Changes to a webhook endpoint. Omitted fields are left unchanged." })
class UpdateWebhookEndpointInput extends inputOf({
  ...changedFields(endpointSettings),
  ...newRecordFields(filterFields),
  headers: nullable(
    [WebhookHeaderInput],
    `All custom headers to send with each delivery. At most ${MAX_HEADERS}, each name once. An empty list removes them, and null leaves them unchanged. Required if the endpoint has headers and the origin of its URL changes.`,
  ),
}) {}

@InputType({ description: "Options for the rotation of a signing secret." })
class RotateWebhookSecretInput extends inputOf({
  overlapHours: field(
    Int,
    "The number of hours that webhook-signature also has a signature with the old secret, 0 to 168. With 0, all earlier secrets expire immediately.",
    { defaultValue: 24 },
  ),
  activeAt: nullable(
    TimestampScalar,
    "When to start signing X-Webhook-Signature with the new secret, before the overlap ends. Default: immediately.",
  ),
}) {}

@ObjectType({ description: "A webhook endpoint with its new signing secret.", simpleResolvers: true })
class CreatedWebhookEndpoint {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: ListedWebhookEndpoint;

  @Field(() => String, {
    description: "The secret that signs deliveries, shown only once. Empty if an idempotency key replays the result.",
  })
  secret!: string;
}

@Authorized(orOwn(Permission.SETTINGS))
@Resolver()
export class WebhookEndpointMutations {
  @Mutation(() => CreatedWebhookEndpoint, { description: "Creates a webhook endpoint." })
  async createWebhookEndpoint(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Arg("input", () => CreateWebhookEndpointInput, { description: "What to create." })
    input: CreateWebhookEndpointInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<CreatedWebhookEndpoint> {
    const { endpoint, secret } = await createWebhookEndpoint(operation, context, { ...input }, claim);
    return { endpoint: await answerEndpoint(operation, endpoint.id), secret };
  }

  @Mutation(() => WebhookEndpoint, {
    description:
      "Creates a pull endpoint, for services without a public address: they receive its events with receiveEvents. It counts toward the plan's webhook endpoints.",
  })
  async createPullEndpoint(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Arg("input", () => CreatePullEndpointInput, { description: "What to create." })
    input: CreatePullEndpointInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<ListedWebhookEndpoint> {
    const { endpoint } = await createWebhookEndpoint(operation, context, { ...input }, claim);
    return answerWebhookEndpoint(operation, endpoint.id);
  }

  @Mutation(() => WebhookEndpoint, { description: "Updates, pauses or resumes a webhook endpoint." })
  async updateWebhookEndpoint(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Id("webhook endpoint") id: string,
    @Changes(() => UpdateWebhookEndpointInput)
    input: UpdateWebhookEndpointInput,
  ): Promise<ListedWebhookEndpoint> {
    await updateWebhookEndpoint(operation, context, id, { ...input });
    return answerWebhookEndpoint(operation, id);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookEndpoint, {
    description:
      "Takes over the endpoint of a service token, which then cannot manage it. Only staff can. Does nothing if the endpoint has no service token.",
  })
  async takeOverWebhookEndpoint(
    @ShopOperation() operation: AnsweredOperation,
    @Id("webhook endpoint") id: string,
  ): Promise<ListedWebhookEndpoint> {
    await takeOverWebhookEndpoint(operation, id);
    return answerWebhookEndpoint(operation, id);
  }

  @Mutation(() => CreatedWebhookEndpoint, {
    description:
      "Creates a new signing secret for a webhook endpoint. Fails during the overlap of an earlier rotation, unless overlapHours is 0.",
  })
  async rotateWebhookSecret(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Id("webhook endpoint") id: string,
    @Arg("input", () => RotateWebhookSecretInput, { description: "Options for the rotation." })
    input: RotateWebhookSecretInput,
  ): Promise<CreatedWebhookEndpoint> {
    const secret = await rotateWebhookSecret(operation, context, id, { ...input });
    return { endpoint: await answerEndpoint(operation, id), secret };
  }

  @Mutation(() => WebhookEndpoint, {
    description:
      "Starts to sign X-Webhook-Signature with the new secret now, before the time that the rotation scheduled.",
  })
  async activateWebhookSecret(
    @ShopOperation() operation: AnsweredOperation,
    @Id("webhook endpoint") id: string,
  ): Promise<ListedWebhookEndpoint> {
    await activateWebhookSecret(operation, id);
    return answerWebhookEndpoint(operation, id);
  }

  @Mutation(() => Boolean, {
    description: "Deletes a webhook endpoint and its pending deliveries. Returns false if the endpoint does not exist.",
  })
  deleteWebhookEndpoint(
    @ShopOperation() operation: AnsweredOperation,
    @Id("webhook endpoint") id: string,
  ): Promise<boolean> {
    return deleteWebhookEndpoint(operation, id);
  }
}

/** Answers the field `endpoint` of a result. */
function answerEndpoint({ selection, ...operation }: AnsweredOperation, id: string): Promise<ListedWebhookEndpoint> {
  return answerWebhookEndpoint({ ...operation, selection: selection.at("endpoint") }, id);
}
