import { Migration } from "@mikro-orm/migrations";

/** A transaction that wrote while a moving shop was open writes the rest of its rows, too. */
export class Migration0017WholeWritesOfMovingShops extends Migration {
  override up(): void {
    // The mover waits for such a transaction. Without the setting, a shop that closed between two rows of a statement lost
    // the second one without an error, where rows of closed shops are skipped.
    this.addSql(`
      create or replace function refuse_write_to_moving_shop() returns trigger language plpgsql as $$
      declare passed text := 'moving.' || tg_argv[0];
      begin
        if current_setting(passed, true) = 'open' then
          return coalesce(new, old);
        end if;
        perform pg_advisory_xact_lock_shared(hashtextextended('move ' || tg_argv[0], 0));
        if not exists (select from shops where id = tg_argv[0] and closed_at is not null) then
          perform set_config(passed, 'open', true);
          return coalesce(new, old);
        elsif tg_argv[1] = 'skip' then
          return null;
        end if;
        raise exception 'The shop is closed for a move' using errcode = 'serialization_failure';
      end $$`);
  }
}
