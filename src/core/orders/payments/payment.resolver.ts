import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { ACTOR_NAME, actorName } from "../../access/actor-name.ts";
import type { CoreContext } from "../../context.ts";
import { Payment, Refund } from "../../model/orders/payment.entity.ts";

@Resolver(() => Payment)
export class PaymentResolver {
  @FieldResolver(() => String, { nullable: true, description: ACTOR_NAME })
  actorName(@Root() { shopId, actorId }: Payment, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, actorId);
  }
}

@Resolver(() => Refund)
export class RefundResolver {
  @FieldResolver(() => String, { nullable: true, description: ACTOR_NAME })
  actorName(@Root() { shopId, actorId }: Refund, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, actorId);
  }
}
