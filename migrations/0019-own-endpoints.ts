import { Migration } from "@mikro-orm/migrations";

/** The service token that manages an endpoint, which outlives it. Release 1.1.0 does not write it. */
export class Migration0019OwnEndpoints extends Migration {
  override up(): void {
    this.addSql(`alter table webhook_endpoints add column if not exists service_token_id text collate "C"`);
  }
}
