import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { ActedRow, CreatedRow } from "../model/created-row.ts";
import { actorName } from "./actor-name.ts";

/** Resolves fields of every type of record with a creator. */
@Resolver(() => CreatedRow)
export class CreatedRowResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      "The email address of the staff member, or the name of the service, that created it. Null if an operator created it.",
  })
  createdByName(@Root() { shopId, createdBy }: CreatedRow, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, createdBy);
  }
}

/** Resolves the field of every type of record with an actor. */
@Resolver(() => ActedRow)
export class ActedRowResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      "The email address of the staff member, or the name of the service or API key. Null if actorId is null.",
  })
  actorName(@Root() { shopId, actorId }: ActedRow, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, actorId);
  }
}
