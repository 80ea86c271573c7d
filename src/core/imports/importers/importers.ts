import { ImportKind } from "../../model/imports/import.enums.ts";
import { customerImporter } from "./import-customers.ts";
import { productImporter } from "./import-products.ts";
import type { Importer } from "./importer.ts";

export const importers = { [ImportKind.PRODUCTS]: productImporter, [ImportKind.CUSTOMERS]: customerImporter } as Record<
  ImportKind,
  Importer<unknown, unknown>
>;
