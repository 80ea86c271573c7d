import { Migration } from "@mikro-orm/migrations";

/** Imports find variants by their SKUs, regardless of case. The next release drops `variants_sku`. */
export class Migration0013ImportsByFoldedSku extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists variants_folded_sku");
    this.addSql(
      `create index concurrently variants_folded_sku on variants (shop_id, lower(sku collate "C")) where sku <> ''`,
    );
  }
}
