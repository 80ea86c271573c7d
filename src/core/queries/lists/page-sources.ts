import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Expression, type SelectQueryBuilder, type SqlBool } from "kysely";
import { SortOrder } from "../../model/page.ts";
import { kysely } from "../database.ts";
import { orderingOf, sortOf, type RecordsQuery, type SourceOf, type Window } from "./list-query.ts";
import { filterOfShop, matchOf } from "./search.ts";

/** The records of a list, in its order. */
export function listed(em: EntityManager, request: RecordsQuery): SourceOf {
  const { conditions = [], source, selection } = request;
  const hasTotal = selection.fields.has("total");
  if (source) {
    return () => ({
      ids: (window) => source.ids({ ...window, conditions: [...conditions, ...window.conditions] }),
      total: hasTotal ? source.count(conditions) : undefined,
    });
  }
  return (shopId) => ({
    ids: (window) => pageOf(recordsOf(em, request, shopId), window),
    total: hasTotal ? totalOf(em, request, shopId) : undefined,
  });
}

/** The same from the other end, for a page that is nearer to it. The total must be maintained. */
export function listedBackwards(em: EntityManager, request: RecordsQuery): SourceOf {
  const { order = SortOrder.DESC } = request;
  const reversed = orderingOf(request, order === SortOrder.DESC ? SortOrder.ASC : SortOrder.DESC);
  return (shopId) => {
    const total = totalOf(em, request, shopId);
    return {
      ids: ({ limit, offset }) => {
        const left = sql`(${total})::int8 - ${offset}::int8`;
        return recordsOf(em, request, shopId)
          .orderBy(reversed)
          .limit(sql<number>`greatest(least(${left}, ${limit}::int8), 0)`)
          .offset(sql<number>`greatest(${left} - ${limit}::int8, 0)`);
      },
      total,
    };
  };
}

/** The matches of a search, found by its index and then sorted. */
export function matched(em: EntityManager, request: RecordsQuery): SourceOf {
  const found = kysely(em).selectFrom(sql<{ id: string }>`found`.as("found"));
  return (shopId) => ({
    found: kysely(em)
      .selectFrom(request.table)
      .select(["id", sql`${sortOf(request)}`.as(request.sort ?? "created_at")])
      .where(filterOfShop(shopId))
      .where(({ and }) => and(searchConditions(request))),
    ids: (window) => pageOf(found.select("id"), window),
    total: sql<number>`${found.select(countAll.as("total"))}`,
  });
}

/** The matches of a search among the first records of its list. */
export function matchedFirst(em: EntityManager, request: RecordsQuery, records: number): SourceOf {
  const { table } = request;
  return (shopId) => ({
    ids: (window) => {
      const first = kysely(em)
        .selectFrom(table)
        .selectAll()
        .where("shop_id", "=", shopId)
        .where(({ and }) => and([...window.conditions]))
        .orderBy(window.ordering)
        .limit(sql.lit(records));
      const matches = kysely(em)
        .selectFrom(first.as("first"))
        .select("id")
        .where(({ and }) => and(searchConditions(request)));
      return pageOf(matches, { ...window, conditions: [] });
    },
  });
}

/** SQL: the total of a list. */
function totalOf(em: EntityManager, request: RecordsQuery, shopId: Expression<string>): Expression<number> {
  const { table, total, conditions = [] } = request;
  const isMaintained = total === "maintained";
  const [counted, count] = isMaintained
    ? (["record_counts", sql<number>`coalesce(sum(count), 0)::float8`] as const)
    : ([table, countAll] as const);
  return sql`${kysely(em)
    .selectFrom(counted)
    .select(count.as("total"))
    .where("shop_id", "=", shopId)
    .$if(isMaintained, (query) => query.where(sql<SqlBool>`resource = ${sql.lit(table)}`))
    .where(({ and }) => and([...conditions]))}`;
}

const countAll = sql<number>`count(*)::float8`;

/** The conditions of a search. */
function searchConditions({ conditions = [], search = [] }: RecordsQuery): Expression<SqlBool>[] {
  return [...conditions, matchOf(search)];
}

/** The ids of a list's records, in any order. */
function recordsOf(em: EntityManager, { table, conditions = [] }: RecordsQuery, shopId: Expression<string>) {
  return kysely(em)
    .selectFrom(table)
    .select("id")
    .where("shop_id", "=", shopId)
    .where(({ and }) => and([...conditions]));
}

function pageOf<Tables, Table extends keyof Tables>(
  records: SelectQueryBuilder<Tables, Table, { id: string }>,
  { conditions, ordering, limit, offset }: Window,
) {
  return records
    .where((builder) => builder.and([...conditions]))
    .orderBy(ordering)
    .limit(limit)
    .offset(offset);
}
