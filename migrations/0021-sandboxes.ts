import { Migration } from "@mikro-orm/migrations";

/** Shops in which nothing is real. Release 1.1.0 takes them for shops without members. */
export class Migration0021Sandboxes extends Migration {
  override up(): void {
    this.addSql(`
      alter table shops
        -- No foreign key: the shop may move to another installation.
        add column sandbox_of text collate "C",
        add column sandbox_state text check (sandbox_state in ('FILLING', 'READY', 'FAILED')),
        add column sandbox_content text,
        -- Null until earlier records are deleted, then the last copied product.
        add column sandbox_cursor text collate "C",
        add column sandbox_used_at timestamptz(3)`);
    this.addSql("create index shops_sandbox_of on shops (sandbox_of) where sandbox_of is not null");
  }
}
