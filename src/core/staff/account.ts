import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { projections, runStatement, type Database } from "../database.ts";
import type { Staff } from "./staff.entity.ts";

/** Staff as they are shown: without the password hash. */
export type PublicStaff = Omit<Staff, "passwordHash">;

/** The account with this address, in whatever case. */
export async function findAccount(database: Kysely<Database>, email: string): Promise<Staff | undefined> {
  const text = `select id, email, password_hash as "passwordHash", created_at as "createdAt"
    from staff where lower(email) = $1`;
  const [account] = await runStatement<Staff>(database, text, [email.toLowerCase()]);
  return account;
}

/** @throws AppError CONFLICT when somebody made an account with this address at the same moment */
export async function createAccount(
  em: EntityManager,
  { email, passwordHash }: Pick<Staff, "email" | "passwordHash">,
): Promise<Staff> {
  const account = { id: newId("stf"), email, passwordHash };
  const [created] = await runStatement<Pick<Staff, "createdAt">>(
    projections(em),
    `insert into staff (id, email, password_hash, created_at) values ($1, $2, $3, now())
    on conflict (lower(email)) do nothing returning created_at as "createdAt"`,
    [account.id, email, passwordHash],
  );
  if (created) return { ...account, ...created };
  throw new AppError("CONFLICT", "There is an account with this address now", { hint: "Try again." });
}
