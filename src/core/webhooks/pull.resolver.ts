import { Arg, Authorized, Ctx, ID, Int, Mutation, ObjectType, Resolver } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { field, objectOf } from "../model/fields.ts";
import { orOwn, Permission } from "../model/permissions.ts";
import { Id } from "../mutations/operation-arguments.ts";
import { ReceivedEvent } from "./pulling/lease-events.sql.ts";
import {
  changeReceivedEvents,
  LEASE_SECONDS,
  MAX_EVENTS,
  MAX_WAIT_SECONDS,
  receiveEvents,
  type ChangedCount,
} from "./pulling/receive-events.ts";

@ObjectType({ description: "The result of a change to received events.", simpleResolvers: true })
class ChangedEvents extends objectOf({
  changed: field(Int, "The number of changed events."),
  unknownIds: field(
    [ID],
    "The IDs that changed nothing: the endpoint never had such a delivery, or it is acknowledged, or 30 days old.",
  ),
}) {}

const Ids = () =>
  Arg("ids", () => [ID], { description: `The IDs of deliveries of this endpoint, 1 to ${MAX_EVENTS}.` });

const LeaseSeconds = (defaultValue?: number) =>
  Arg("leaseSeconds", () => Int, {
    ...(defaultValue !== undefined && { defaultValue }),
    description: `The seconds from now on in which no other caller receives the events, ${LEASE_SECONDS.min} to ${LEASE_SECONDS.max}.`,
  });

@Authorized(orOwn(Permission.RECEIVE_EVENTS))
@Resolver()
export class PullMutations {
  @Mutation(() => [ReceivedEvent], {
    description:
      "Receives the oldest events of a pull endpoint. Each is leased to you: no other caller receives it until the lease ends. Acknowledge it before then, or it comes again. Empty if the endpoint is paused. Fails if the plan does not include webhooks.",
  })
  receiveEvents(
    @ShopOperation() operation: AnsweredOperation,
    @Ctx() context: CoreContext,
    @Id("pull endpoint", "endpointId") endpointId: string,
    @Arg("limit", () => Int, { defaultValue: 100, description: `The maximum number of events, 1 to ${MAX_EVENTS}.` })
    limit: number,
    @LeaseSeconds(60) leaseSeconds: number,
    @Arg("waitSeconds", () => Int, {
      defaultValue: 0,
      description: `The seconds to wait for an event if there is none, 0 to ${MAX_WAIT_SECONDS}. The response can be empty earlier: if many callers of the shop wait, or the server stops. Only one field of a request waits.`,
    })
    waitSeconds: number,
  ): Promise<ReceivedEvent[]> {
    return receiveEvents(operation, context, endpointId, { limit, leaseSeconds, waitSeconds });
  }

  @Mutation(() => ChangedEvents, {
    description: "Acknowledges events, also after their lease has ended. They do not come again.",
  })
  acknowledgeEvents(
    @ShopOperation() operation: AnsweredOperation,
    @Id("pull endpoint", "endpointId") endpointId: string,
    @Ids() ids: string[],
  ): Promise<ChangedCount> {
    return changeReceivedEvents(operation, endpointId, "acknowledge", { ids });
  }

  @Mutation(() => ChangedEvents, { description: "Extends the leases of received events." })
  extendLease(
    @ShopOperation() operation: AnsweredOperation,
    @Id("pull endpoint", "endpointId") endpointId: string,
    @Ids() ids: string[],
    @LeaseSeconds() leaseSeconds: number,
  ): Promise<ChangedCount> {
    return changeReceivedEvents(operation, endpointId, "extend", { ids, leaseSeconds });
  }

  @Mutation(() => ChangedEvents, {
    description: "Ends the leases of received events. They come again immediately, at the end of the queue.",
  })
  releaseEvents(
    @ShopOperation() operation: AnsweredOperation,
    @Id("pull endpoint", "endpointId") endpointId: string,
    @Ids() ids: string[],
  ): Promise<ChangedCount> {
    return changeReceivedEvents(operation, endpointId, "release", { ids });
  }
}
