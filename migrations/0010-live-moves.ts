import { Migration } from "@mikro-orm/migrations";

/** Moves of open shops to another installation. */
export class Migration0010LiveMoves extends Migration {
  override up(): void {
    this.addSql("alter table shops add column if not exists moved_to text");
    // A mover makes triggers with it. Each writer locks before it looks at the shop, so that the mover can wait for the
    // writers that found it open. The error of a serialization failure lets them try again, here or at the new place.
    this.addSql(`
      create or replace function refuse_write_to_moving_shop() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtextextended('move ' || tg_argv[0], 0));
        if not exists (select from shops where id = tg_argv[0] and closed_at is not null) then
          return coalesce(new, old);
        elsif tg_argv[1] = 'skip' then
          return null;
        end if;
        raise exception 'The shop is closed for a move' using errcode = 'serialization_failure';
      end $$`);
  }
}
