import { Migration } from "@mikro-orm/migrations";

/** Changes tables as a release may, while processes of the release before it use them. */
class Expand extends Migration {
  override up(): void {
    this.addSql("alter table products add column probe text not null default 'none'");
    this.addSql("alter table staff add column probe text");
    this.addSql("create table probes (shop_id text not null references shops (id), id text not null)");
    this.addSql("alter table orders add constraint probe check (total_amount >= 0) not valid");
  }
}

class AddIndex extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // A try that was broken off leaves an index that is not used.
    this.addSql("drop index concurrently if exists products_probe");
    this.addSql("create index concurrently products_probe on products (shop_id, probe)");
  }
}

/** What the next release could add to the schema. */
export const nextMigrations = [
  { name: "9998-expand", class: Expand },
  { name: "9999-add-index", class: AddIndex },
];
