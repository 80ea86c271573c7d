import { Migration } from "@mikro-orm/migrations";

/** Pull endpoints. To release 1.0.0 they are paused push endpoints, so it sends nothing to them. */
export class Migration0004PullEndpoints extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  // Each statement can run again, because an earlier try may have stopped after it.
  override up(): void {
    this.addSql("alter table webhook_endpoints add column if not exists pull_paused boolean");
    // When a service last asked for events, and which.
    this.addSql(`alter table webhook_endpoints add column if not exists last_fetched_at timestamptz(3),
      add column if not exists last_fetched_by text collate "C"`);
    // Deliveries of a deleted pull endpoint are listed by its description.
    this.addSql("alter table deleted_webhook_endpoints add column if not exists description text");
    // Keeps release 1.0.0 from resuming a pull endpoint, and from sending its events to nobody.
    this.addSql("alter table webhook_endpoints drop constraint if exists webhook_endpoints_pull_check");
    this.addSql(`alter table webhook_endpoints add constraint webhook_endpoints_pull_check
      check (pull_paused is null or paused) not valid`);
    // A failed attempt leaves an error, so these are the deliveries that a caller has received. Deliveries that are sent
    // are never in this index.
    this.addSql("drop index concurrently if exists outstanding_deliveries_leased");
    this.addSql(`create index concurrently outstanding_deliveries_leased
      on outstanding_deliveries (endpoint_id, next_attempt_at)
      where status = 'PENDING' and attempted_at is not null and error_class is null`);
  }
}
