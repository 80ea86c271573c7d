import { Arg, Args, Authorized, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import { requireMembership, requirePermission } from "../access/permissions.ts";
import type { CoreContext } from "../context.ts";
import { AppError } from "../model/errors.ts";
import { Import, ImportPage } from "../model/imports/import.entity.ts";
import type { ImportKind } from "../model/imports/import.enums.ts";
import type { Page } from "../model/page.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { ReadsShop, Selection, type ShopReader } from "../queries/selection.ts";
import { Id } from "../mutations/operation-arguments.ts";
import { cancelImport, createImport, permissionsFor, requestCheck, startImport } from "./change-import.ts";
import { CheckImportInput, CreateImportInput, StartImportInput } from "./import.inputs.ts";
import {
  answerImport,
  findImport,
  ImportItem,
  listImports,
  ListImportsArgs,
  listItems,
  ListItemsArgs,
  type ShownImport,
} from "./read-imports.ts";

/** @throws AppError FORBIDDEN and others of `requirePermission` */
export function requireImporting({ caller }: Pick<CoreContext, "caller">, shopId: string, kind: ImportKind): void {
  for (const permission of permissionsFor[kind]) requirePermission(caller, shopId, permission);
}

@Authorized()
@Resolver(() => Shop)
export class ShopImportsResolver {
  @FieldResolver(() => ImportPage, {
    description:
      "The shop's imports of one kind, newest first by default. Requires the permissions to read and write these records.",
  })
  imports(
    @Root() { id }: Shop,
    @Ctx() context: CoreContext,
    @ReadsShop() read: ShopReader,
    @Args(() => ListImportsArgs) filter: ListImportsArgs,
  ): Promise<Page<ShownImport>> {
    requireImporting(context, id, filter.kind);
    return read(listImports, filter);
  }

  @FieldResolver(() => Import, {
    nullable: true,
    description:
      "The import with this ID. Null if it does not exist. Requires the permissions to read and write its records.",
  })
  async import(
    @Ctx() context: CoreContext,
    @ReadsShop() read: ShopReader,
    @Id("import") id: string,
  ): Promise<ShownImport | undefined> {
    const found = await read(findImport, id);
    if (found) requireImporting(context, found.shopId, found.kind);
    return found;
  }
}

@Resolver(() => Import)
export class ImportResolver {
  @FieldResolver(() => [ImportItem], {
    description:
      "The first records of the file until the import ends, and those with problems for another day. The next ones have a higher number.",
    complexity: 20,
  })
  items(
    @Root() shown: ShownImport,
    @Ctx() { limit, orm }: CoreContext,
    @Args(() => ListItemsArgs) list: ListItemsArgs,
  ): Promise<ImportItem[]> {
    return limit(listItems, orm.em, shown, list);
  }
}

/** Finds an import that the caller may see and change. @throws AppError NOT_FOUND, FORBIDDEN */
export async function requireImport(context: CoreContext, shopId: string, id: string): Promise<ShownImport> {
  requireMembership(context.caller, shopId);
  const found = await findImport(context.orm.em, shopId, id, new Selection([], {}));
  if (!found) throw new AppError("NOT_FOUND", "Import not found");
  requireImporting(context, shopId, found.kind);
  return found;
}

@Authorized()
@Resolver()
export class ImportMutations {
  @Mutation(() => Import, {
    description:
      "Begins an import. Upload the file to PUT /imports/{shopId}/{importId}/{number} in pieces of 256 KiB, numbered from 0, and call checkImport. Cancels an import of the shop that was not started. Fails with INVALID_STATE while one is running.",
  })
  async createImport(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Arg("input", () => CreateImportInput, { description: "The file." }) input: CreateImportInput,
  ): Promise<ShownImport> {
    requireImporting(context, operation.shop.id, input.kind);
    return answerImport(operation, await createImport(operation, { ...input }));
  }

  @Mutation(() => Import, {
    description:
      "Checks an uploaded file, or checks it again with other answers. Query the import until its state is CHECKED or FAILED.",
  })
  async checkImport(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Id("import") id: string,
    @Arg("input", () => CheckImportInput, { defaultValue: {}, description: "Answers to the questions about the file." })
    input: CheckImportInput,
  ): Promise<ShownImport> {
    await requireImport(context, operation.shop.id, id);
    await requestCheck(operation, id, { ...input });
    return answerImport(operation, id);
  }

  @Mutation(() => Import, {
    description:
      "Starts a checked import. Records with problems are left out. Each change emits the events of its mutation, unless `sendWebhooks` is false.",
  })
  async startImport(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Id("import") id: string,
    @Arg("input", () => StartImportInput, { description: "How to import it." }) input: StartImportInput,
  ): Promise<ShownImport> {
    await requireImport(context, operation.shop.id, id);
    await startImport(operation, id, { ...input });
    return answerImport(operation, id);
  }

  @Mutation(() => Import, {
    description: "Cancels an import. Records imported before stay. Does nothing to an import that has ended.",
  })
  async cancelImport(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Id("import") id: string,
  ): Promise<ShownImport> {
    await requireImport(context, operation.shop.id, id);
    await cancelImport(operation, id);
    return answerImport(operation, id);
  }
}
