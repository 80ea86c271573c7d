import type pg from "pg";
import { customerSearchWords } from "../../src/core/customers/search-words.ts";
import { words } from "./names.ts";
import type { BenchShop } from "./shop.ts";

const statement = `
  insert into customers (shop_id, id, email, first_name, last_name, phone, search_words, created_at, updated_at)
  select $1, pg_temp.id_of('cus', $2::bigint + place), email, first_name, last_name, phone, search::tsvector, at, at
  from (
    select *, now() - ($4::bigint - place) * interval '1 minute' as at from (
      select *, $3::bigint + ordinality - 1 as place
      from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
        with ordinality as given (email, first_name, last_name, phone, search, ordinality)
    ) given
  ) customer`;

/** Inserts the customers in a range of places. */
export async function fillCustomers(
  client: pg.Client,
  { id, first, count }: BenchShop,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const customers = Array.from({ length: to - from + 1 }, (_, index) => customerAt(from + index));
  const columns = (["email", "firstName", "lastName", "phone"] as const).map((name) =>
    customers.map((customer) => customer[name]),
  );
  const searches = customers.map((customer) => customerSearchWords({ shopId: id, ...customer }));
  await client.query(statement, [id, first, from, count, ...columns, searches]);
}

function customerAt(place: number) {
  const [firstName, lastName] = [words[place % 200]!, words[Math.floor(place / 200) % 200]!];
  const email = `${firstName}.${lastName}.${place}@example.com`.toLowerCase();
  return { email, firstName, lastName, phone: `+49 30 ${String(place).padStart(8, "0")}` };
}
