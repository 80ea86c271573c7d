import { Migration } from "@mikro-orm/migrations";

/**
 * Searches find parts of Korean words. A job writes the words of earlier records, and another those that processes of
 * the previous release write until they end. It knows neither job, and leaves them.
 */
export class Migration0011KoreanWords extends Migration {
  override up(): void {
    this.addSql(`
      select graphile_worker.add_job('rewrite-old-words', run_at => now() + delay, priority => 4)
      from unnest(array['0 s', '1 day']::interval[]) delay`);
  }
}
