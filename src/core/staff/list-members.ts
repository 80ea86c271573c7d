import type { Kysely } from "kysely";
import { Field, ID, ObjectType } from "type-graphql";
import { isId } from "../../platform/ids.ts";
import { runStatement, type Database } from "../database.ts";
import { TimestampScalar } from "../scalars.ts";
import { Role } from "./staff.entity.ts";

@ObjectType({ description: "A person who works for the shop.", simpleResolvers: true })
export class Member {
  @Field(() => ID, { description: "Of the person, whatever shops they work for." })
  id!: string;

  @Field(() => String, { description: "What they log in with." })
  email!: string;

  @Field(() => Role, { description: "What they may do in this shop." })
  role!: Role;

  @Field(() => TimestampScalar, { description: "When they joined this shop." })
  createdAt!: Date;
}

const SELECT = `select staff.id, email, role, memberships.created_at as "createdAt"
  from memberships join staff on staff.id = staff_id where shop_id = $1`;

/** The shop's members, who joined first first. */
export function listMembers(database: Kysely<Database>, shopId: string): Promise<Member[]> {
  return runStatement(database, `${SELECT} order by memberships.created_at, staff.id`, [shopId]);
}

/** The member, or undefined when nobody by the id works for the shop. */
export async function findMember(
  database: Kysely<Database>,
  shopId: string,
  staffId: string,
): Promise<Member | undefined> {
  if (!isId(staffId)) return undefined;
  const [member] = await runStatement<Member>(database, `${SELECT} and staff.id = $2`, [shopId, staffId]);
  return member;
}
