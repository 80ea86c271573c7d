import { Migration } from "@mikro-orm/migrations";

/** Lets workers find the jobs of dead runners every second without reading all jobs. graphile-worker ignores the index. */
export class Migration0014LockedJobs extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists graphile_worker.merchant_api_locked_jobs");
    this
      .addSql(`create index concurrently merchant_api_locked_jobs on graphile_worker._private_jobs (locked_at, locked_by)
      where locked_at is not null`);
  }
}
