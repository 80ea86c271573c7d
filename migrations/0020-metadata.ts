import { Migration } from "@mikro-orm/migrations";

const id = `text collate "C"`;

/** The metadata of products, variants, customers and orders. */
export class Migration0020Metadata extends Migration {
  // Locks products and variants one after the other: a change of a product writes both.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`
      create table if not exists metadata (
        shop_id ${id} not null references shops (id),
        record_id ${id} not null,
        -- The prefix of the record's id.
        kind ${id} not null,
        key ${id} not null,
        -- At most 2,000 bytes, so that an entry of the index is below its limit of 2,704.
        value text collate "C" not null check (octet_length(value) <= 2000),
        primary key (shop_id, record_id, key)
      )`);
    this.addSql(`create index if not exists metadata_by_value on metadata (shop_id, kind, key, value, record_id)`);
    this.addSql(`alter table metadata alter column shop_id set statistics 1`);
    // A trigger, since a product deletes its variants, and a foreign key refers to one table.
    this.addSql(`
      create or replace function delete_metadata() returns trigger language plpgsql as $$
      declare
        gone record;
      begin
        -- A statement for each record: on a cluster, a delete cannot read the deleted rows.
        for gone in select shop_id, id from old_rows loop
          delete from metadata where shop_id = gone.shop_id and record_id = gone.id;
        end loop;
        return null;
      end $$`);
    for (const table of ["products", "variants"]) {
      this.addSql(`
        create or replace trigger delete_metadata after delete on ${table}
        referencing old table as old_rows for each statement execute function delete_metadata()`);
    }
  }
}
