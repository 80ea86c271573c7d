import type { EntityManager } from "@mikro-orm/postgresql";
import { createParameterDecorator } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { selectionOf, type Selection } from "./selection.ts";

/** Runs a read of the shop whose field is resolved, for the fields that the document selects. */
export type ShopReader = <Input, Result>(
  read: (em: EntityManager, shopId: string, input: Input, selection: Selection) => Promise<Result>,
  input: Input,
) => Promise<Result>;

/** The reader of a field of `Shop`, within the bound on concurrent statements. */
export const ReadsShop = () =>
  createParameterDecorator<CoreContext>(
    ({ root, context, info }): ShopReader =>
      (read, input) =>
        context.limit(read, context.orm.em, root.id, input, selectionOf(info)),
  );
