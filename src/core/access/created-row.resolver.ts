import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { CreatedRow } from "../model/created-row.ts";
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
