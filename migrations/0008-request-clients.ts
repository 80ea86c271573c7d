import { Migration } from "@mikro-orm/migrations";

/** The client of each logged request, and the addresses from which an API key may be used. */
export class Migration0008RequestClients extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(
      "alter table api_requests add column if not exists address inet, add column if not exists user_agent text",
    );
    this.addSql("alter table api_keys add column if not exists allowed_addresses text[] not null default '{}'");
  }
}
