import { Arg, Authorized, Mutation, Resolver } from "type-graphql";
import { ShopOperation, type Operation } from "../access/operation.ts";
import { Permission } from "../model/permissions.ts";
import { SandboxContent, Shop } from "../model/shops/shop.entity.ts";
import { createSandbox, resetSandbox } from "./sandboxes.ts";

const Content = () => Arg("content", () => SandboxContent, { description: "What to fill it with." });

@Authorized(Permission.SETTINGS)
@Resolver()
export class SandboxMutations {
  @Mutation(() => Shop, {
    description:
      "Creates a sandbox: a shop beside yours in which nothing is real, for the same staff. It opens when it is filled. Fails with LIMIT_REACHED if the shop has two.",
  })
  createSandbox(@ShopOperation() operation: Operation, @Content() content: SandboxContent): Promise<Shop> {
    return createSandbox(operation, { content });
  }

  @Mutation(() => Shop, {
    description:
      "Replaces the records of a sandbox, without events. Deletes events with their deliveries, and idempotency keys. Keeps API keys, webhook endpoints, settings, logs and the count of order numbers. Fails with UNAVAILABLE while it is being filled, and with INVALID_STATE during an import.",
  })
  resetSandbox(@ShopOperation() operation: Operation, @Content() content: SandboxContent): Promise<Shop> {
    return resetSandbox(operation, { content });
  }
}
