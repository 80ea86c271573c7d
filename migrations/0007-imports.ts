import { Migration } from "@mikro-orm/migrations";

const id = `text collate "C"`;
const instant = "timestamptz(3)";

/** Imports from CSV files. */
export class Migration0007Imports extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  // Each statement can run again, because an earlier try may have stopped after it.
  override up(): void {
    this.addSql(`
      create table if not exists imports (
        shop_id ${id} not null references shops (id),
        id ${id} not null check (id like 'imp\\_%' and length(id) = 30),
        kind text not null,
        state text not null,
        file_name text not null,
        file_size integer not null,
        -- Makes the changes, as in the audit log.
        actor jsonb not null,
        chosen_format jsonb not null default '{}',
        format jsonb,
        failure text,
        item_count integer not null default 0,
        faulty_count integer not null default 0,
        problem_count integer not null default 0,
        existing text,
        stock text,
        sends_webhooks boolean,
        created_count integer not null default 0,
        updated_count integer not null default 0,
        unchanged_count integer not null default 0,
        refused_count integer not null default 0,
        refusals jsonb not null default '[]',
        last_number integer not null default 0,
        created_by ${id},
        created_at ${instant} not null,
        started_at ${instant},
        ended_at ${instant},
        primary key (shop_id, id)
      )`);
    // One import of a shop at a time.
    this.addSql(`create unique index if not exists imports_in_progress on imports (shop_id) where ended_at is null`);
    this.addSql(`
      create table if not exists import_chunks (
        shop_id ${id} not null,
        import_id ${id} not null,
        number integer not null,
        data bytea not null,
        primary key (shop_id, import_id, number),
        foreign key (shop_id, import_id) references imports (shop_id, id) on delete cascade
      )`);
    // CSV compresses well, but only at a cost for each upload. The chunks are soon deleted.
    this.addSql("alter table import_chunks alter column data set storage external");
    this.addSql(`
      create table if not exists import_items (
        shop_id ${id} not null,
        import_id ${id} not null,
        number integer not null,
        first_row integer not null,
        last_row integer not null,
        input jsonb not null,
        problems jsonb,
        primary key (shop_id, import_id, number),
        foreign key (shop_id, import_id) references imports (shop_id, id) on delete cascade
      )`);
    this.addSql(`create index if not exists import_items_faulty on import_items (shop_id, import_id, number)
      where problems is not null`);
    // Imports find variants by their SKUs.
    this.addSql("drop index concurrently if exists variants_sku");
    this.addSql("create index concurrently variants_sku on variants (shop_id, sku) where sku <> ''");
  }
}
