import { Migration } from "@mikro-orm/migrations";

/** The changed fields and the actor of an event, and what endpoints leave out. Release 1.0.0 writes none of them. */
export class Migration0006EventFilters extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("alter table events add column if not exists changed text[], add column if not exists actor_id text");
    this.addSql(`alter table webhook_endpoints add column if not exists fields text[] not null default '{}',
      add column if not exists ignored_actor_ids text[] not null default '{}'`);
  }
}
