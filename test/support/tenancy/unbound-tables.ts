import {
  parseSync,
  type DeleteStmt,
  type InsertStmt,
  type JoinExpr,
  type Node,
  type RangeFunction,
  type RangeVar,
  type SelectStmt,
  type SubLink,
  type UpdateStmt,
  type WithClause,
} from "libpg-query";
import { shopColumnOf, type Catalog } from "./catalog.ts";
import { equalitiesIn, itemsOf } from "./equalities.ts";
import type { Key } from "./exceptions.ts";
import { columnOf, rename, resolve, starOf, textOf, type Column, type Relation, type Scope } from "./scope.ts";
import { isDistributed } from "./unroutable.ts";
import { given, Implications, unknown, type Value } from "./values.ts";

/**
 * Finds the tables with shops from which a statement may read or change rows of several shops, by its text alone. A
 * table is bound to one shop by a condition on each of its rows: its shop equals a parameter, a constant, or the shop
 * of a bound table. Unknown expressions bind nothing. All parameters count as the same shop. A key, if given, binds its
 * table too. A cluster cannot route a subquery by a column of the query around it, so the subquery binds its distributed
 * tables itself.
 *
 * @throws SqlError when PostgreSQL cannot parse the statement
 */
export function findUnboundTables(text: string, catalog: Catalog, key?: Key): string[] {
  const nodes = (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);
  const tablesBy = (seesOuter: boolean) =>
    nodes
      .filter((node) => !isOfSchema(node))
      .flatMap((node) => new Reading(catalog, key, seesOuter).unboundTables(node));
  return [...new Set([...tablesBy(true), ...tablesBy(false).filter(isDistributed)])].toSorted();
}

/** Returns true for a statement that changes the schema and no rows. */
function isOfSchema(node: Node): boolean {
  return /^(Create(?!TableAs)|Alter|Index|View|Drop|Comment|Rename)/.test(Object.keys(node)[0]!);
}

/** The analysis of one statement. */
class Reading {
  readonly #catalog: Catalog;
  readonly #key: Key | undefined;
  /** True when a subquery resolves columns of the query around it. */
  readonly #seesOuter: boolean;
  readonly #implications = new Implications();
  readonly #uses: { table: string; shop: Value }[] = [];
  readonly #understood = new Set<unknown>();
  readonly #outputs = new Map<SubLink, readonly Column[]>();

  constructor(catalog: Catalog, key: Key | undefined, seesOuter: boolean) {
    this.#catalog = catalog;
    this.#key = key;
    this.#seesOuter = seesOuter;
  }

  unboundTables(node: Node): string[] {
    this.#query(node, undefined);
    this.#implications.conclude();
    const unbound = this.#uses.filter(({ shop }) => !shop.isOneShop).map(({ table }) => table);
    return [...new Set([...unbound, ...this.#overlooked(node)])].toSorted();
  }

  /** Tables with shops in unexpected places. */
  #overlooked(node: unknown): string[] {
    // `for update of` repeats tables of the FROM clause.
    if (typeof node !== "object" || node === null || "LockingClause" in node) return [];
    const { relname } = node as RangeVar;
    const isOwn = relname !== undefined && shopColumnOf(relname, this.#catalog) && !this.#understood.has(node);
    return [...(isOwn ? [relname] : []), ...Object.values(node).flatMap((part) => this.#overlooked(part))];
  }

  #query(node: Node | undefined, outer: Scope | undefined): readonly Column[] {
    if (!node) return [];
    if ("SelectStmt" in node) return this.#select(node.SelectStmt, outer);
    if ("InsertStmt" in node) return this.#insert(node.InsertStmt, outer);
    if ("UpdateStmt" in node) return this.#update(node.UpdateStmt, outer);
    if ("DeleteStmt" in node) return this.#delete(node.DeleteStmt, outer);
    if ("DoStmt" in node) this.#uses.push({ table: "what a block of code names", shop: unknown });
    if ("DeclareCursorStmt" in node) return this.#query(node.DeclareCursorStmt.query, outer);
    return [];
  }

  #open(withClause: WithClause | undefined, outer: Scope | undefined): Scope {
    const queries = new Map(outer?.queries);
    const scope = { relations: [], queries, outer };
    for (const node of withClause?.ctes ?? []) {
      if (!("CommonTableExpr" in node)) continue;
      const { ctename, ctequery, aliascolnames } = node.CommonTableExpr;
      // A recursive query has no conclusions about itself.
      if (withClause!.recursive) queries.set(ctename!, []);
      queries.set(ctename!, rename(this.#query(ctequery, scope), aliascolnames));
    }
    return scope;
  }

  #select({ withClause, larg, rarg, fromClause, ...select }: SelectStmt, outer: Scope | undefined): readonly Column[] {
    const scope = this.#open(withClause, outer);
    if (larg && rarg) {
      const [left, right] = [this.#select(larg, scope), this.#select(rarg, scope)];
      return left.map(([name, value], index) => [
        name,
        this.#implications.derive([value, right[index]?.[1] ?? unknown]),
      ]);
    }
    for (const item of fromClause ?? []) this.#from(item, scope);
    this.#filter(select.whereClause, scope, scope.relations);
    this.#visit(select, scope);
    const [row, ...more] = this.#rows(select.valuesLists, scope);
    if (row) return this.#copy(row.map((value, index) => [`column${index + 1}`, more.length === 0 ? value : unknown]));
    const targets = this.#targets(select.targetList, scope);
    const output = this.#copy(targets);
    if (!passesRowsOn(select)) return output;
    // A condition on its result applies to its tables.
    for (const [index, [, value]] of targets.entries()) this.#equate(value, output[index]![1], scope.relations);
    return output;
  }

  #rows(lists: readonly Node[] = [], scope: Scope): Value[][] {
    return lists.map((list) => itemsOf(list).map((item) => this.#valueOf(item, scope)));
  }

  #insert(insert: InsertStmt, outer: Scope | undefined): readonly Column[] {
    const scope = this.#open(insert.withClause, outer);
    const table = this.#table(insert.relation!, new Map());
    const names = insert.cols?.map(nameOf) ?? table.columns.map(([name]) => name);
    const select = insert.selectStmt && "SelectStmt" in insert.selectStmt ? insert.selectStmt.SelectStmt : {};
    const selected = this.#select(select, scope).map(([, value]) => value);
    const rows = select.valuesLists ? this.#rows(select.valuesLists, scope) : [selected];
    for (const [index, name] of names.entries()) {
      const column = columnOf(table, name);
      const values = rows.map((row) => row[index] ?? unknown);
      if (column) this.#implications.add(values, column);
    }
    this.#resolveConflict(insert, table, scope);
    scope.relations.push(table);
    return this.#targets(insert.returningClause?.exprs, scope);
  }

  /** The conflicting row belongs to the same shop if the index includes the shop. */
  #resolveConflict({ relation, onConflictClause }: InsertStmt, inserted: Relation, { queries, outer }: Scope): void {
    if (onConflictClause?.action !== "ONCONFLICT_UPDATE") return;
    const existing = this.#table(relation!, new Map());
    for (const element of onConflictClause.infer?.indexElems ?? []) {
      const name = "IndexElem" in element ? element.IndexElem.name! : "";
      const [known, wanted] = [columnOf(existing, name), columnOf(inserted, name)];
      if (known && wanted) this.#implications.add([wanted], known);
    }
    const scope = { relations: [existing, { ...inserted, name: "excluded" }], queries, outer };
    this.#filter(onConflictClause.whereClause, scope, [existing]);
    this.#visit([onConflictClause.whereClause, onConflictClause.targetList], scope);
    this.#assign(relation!, onConflictClause.targetList, scope);
  }

  #update({ relation, withClause, fromClause, ...update }: UpdateStmt, outer: Scope | undefined): readonly Column[] {
    const scope = this.#open(withClause, outer);
    scope.relations.push(this.#table(relation!, new Map()));
    for (const item of fromClause ?? []) this.#from(item, scope);
    this.#filter(update.whereClause, scope, scope.relations);
    this.#visit(update, scope);
    this.#assign(relation!, update.targetList, scope);
    return this.#targets(update.returningClause?.exprs, scope);
  }

  /** A row must not move to another shop. */
  #assign({ relname }: RangeVar, targets: readonly Node[] = [], scope: Scope): void {
    for (const target of targets) {
      if (!("ResTarget" in target) || nameOf(target) !== shopColumnOf(relname!, this.#catalog)) continue;
      this.#uses.push({ table: relname!, shop: this.#valueOf(target.ResTarget.val, scope) });
    }
  }

  #delete({ relation, withClause, usingClause, ...deletion }: DeleteStmt, outer: Scope | undefined): readonly Column[] {
    const scope = this.#open(withClause, outer);
    scope.relations.push(this.#table(relation!, new Map()));
    for (const item of usingClause ?? []) this.#from(item, scope);
    this.#filter(deletion.whereClause, scope, scope.relations);
    this.#visit(deletion, scope);
    return this.#targets(deletion.returningClause?.exprs, scope);
  }

  /** Adds an item of a FROM clause. */
  #from(node: Node, scope: Scope): Relation[] {
    if ("JoinExpr" in node) return this.#join(node.JoinExpr, scope);
    const relation = this.#relation(node, scope);
    if (!relation) return [];
    scope.relations.push(relation);
    return [relation];
  }

  #relation(node: Node, scope: Scope): Relation | undefined {
    if ("RangeVar" in node) return this.#table(node.RangeVar, scope.queries);
    if ("RangeFunction" in node) return this.#function(node.RangeFunction, scope);
    if (!("RangeSubselect" in node)) return undefined;
    const { subquery, alias, lateral } = node.RangeSubselect;
    const columns = this.#query(subquery, lateral ? this.#around(scope) : { ...scope, relations: [] });
    return { name: alias?.aliasname ?? "", columns: rename(columns, alias?.colnames) };
  }

  #table(range: RangeVar, queries: Scope["queries"]): Relation {
    this.#understood.add(range);
    const table = range.relname!;
    const name = range.alias?.aliasname ?? table;
    if ((range.schemaname ?? "public") !== "public") return { name, columns: [] };
    const known = range.schemaname ? undefined : queries.get(table);
    const columns = this.#copy(known ?? (this.#catalog.get(table) ?? []).map((column) => [column, unknown]));
    const shopColumn = known ? undefined : shopColumnOf(table, this.#catalog);
    const shop = shopColumn && columnOf({ columns }, shopColumn);
    if (shop) this.#uses.push({ table, shop });
    if (shop && this.#key?.table === table) this.#implications.add([columnOf({ columns }, this.#key.column)!], shop);
    return { name, columns: rename(columns, range.alias?.colnames) };
  }

  /** New columns: conditions on them do not apply to the columns they come from. */
  #copy(columns: readonly Column[]): Column[] {
    return columns.map(([name, value]) => [name, this.#implications.derive([value])]);
  }

  /** A function may return rows of any shop. */
  #function({ functions, alias, coldeflist }: RangeFunction, scope: Scope): Relation {
    this.#visit(functions, scope);
    const names = coldeflist?.map(nameOf) ?? alias?.colnames?.map((name) => textOf(name)!) ?? [alias?.aliasname ?? ""];
    return { name: alias?.aliasname ?? "", columns: this.#copy(names.map((name) => [name, unknown])) };
  }

  /** A condition does not apply to rows that an outer join adds. */
  #join({ jointype, larg, rarg, quals, usingClause = [] }: JoinExpr, scope: Scope): Relation[] {
    const left = larg ? this.#from(larg, scope) : [];
    const right = rarg ? this.#from(rarg, scope) : [];
    const bound = [
      ...(jointype === "JOIN_INNER" || jointype === "JOIN_RIGHT" ? left : []),
      ...(jointype === "JOIN_INNER" || jointype === "JOIN_LEFT" ? right : []),
    ];
    this.#filter(quals, scope, bound);
    this.#visit(quals, scope);
    for (const name of usingClause) {
      const inOne = (relations: Relation[]) => resolve([name], { relations, queries: scope.queries });
      this.#equate(inOne(left), inOne(right), bound);
    }
    return [...left, ...right];
  }

  /** Applies a condition that holds for each row of these relations. */
  #filter(condition: Node | undefined, scope: Scope, relations: readonly Relation[]): void {
    for (const [one, other] of equalitiesIn(condition)) {
      const [left, right] = [one, other].map(({ node, column }) => this.#valueOf(node, scope, column));
      this.#equate(left!, right!, relations);
    }
  }

  #equate(one: Value, other: Value, relations: readonly Relation[]): void {
    const isOf = (value: Value) => relations.some(({ columns }) => columns.some(([, column]) => column === value));
    if (isOf(one)) this.#implications.add([other], one);
    if (isOf(other)) this.#implications.add([one], other);
  }

  /** The value of an expression, or of a subquery's column at this position. */
  #valueOf(node: Node | undefined, scope: Scope, column = 0): Value {
    if (!node) return unknown;
    if ("ParamRef" in node || "A_Const" in node) return given;
    // A cast may truncate a shop's id to a prefix shared by several.
    if ("TypeCast" in node && this.#valueOf(node.TypeCast.arg, scope) === given) return given;
    if ("CollateClause" in node) return this.#valueOf(node.CollateClause.arg, scope);
    if ("ColumnRef" in node) return resolve(node.ColumnRef.fields ?? [], scope);
    if ("SubLink" in node) return this.#outputOf(node.SubLink, scope)[column]?.[1] ?? unknown;
    return unknown;
  }

  /** The scope of a subquery. */
  #around(scope: Scope): Scope {
    return this.#seesOuter ? scope : { relations: [], queries: scope.queries };
  }

  #outputOf(link: SubLink, scope: Scope): readonly Column[] {
    const output = this.#outputs.get(link) ?? this.#query(link.subselect, this.#around(scope));
    this.#outputs.set(link, output);
    return output;
  }

  /** Reads the subqueries in expressions. */
  #visit(node: unknown, scope: Scope): void {
    if (typeof node !== "object" || node === null) return;
    if ("SubLink" in node) this.#outputOf(node.SubLink as SubLink, scope);
    if ("SelectStmt" in node) return;
    for (const part of Object.values(node)) this.#visit(part, scope);
  }

  #targets(targets: readonly Node[] = [], scope: Scope): Column[] {
    return targets.flatMap((target): readonly Column[] => {
      const value = "ResTarget" in target ? target.ResTarget.val : undefined;
      const fields = value && "ColumnRef" in value ? (value.ColumnRef.fields ?? []) : [];
      const last = fields.at(-1);
      if (last && "A_Star" in last) return starOf(fields, scope);
      return [[nameOf(target) || (textOf(last) ?? ""), this.#valueOf(value, scope)]];
    });
  }
}

function nameOf(node: Node): string {
  if ("ResTarget" in node) return node.ResTarget.name ?? "";
  return "ColumnDef" in node ? (node.ColumnDef.colname ?? "") : "";
}

/** Returns true when a query returns rows independently, so that a filter on its result could be inside it. */
function passesRowsOn(select: SelectStmt): boolean {
  const { distinctClause, groupClause, havingClause, limitCount, limitOffset, lockingClause, targetList } = select;
  const readsOtherRows = [distinctClause, groupClause, havingClause, limitCount, limitOffset, lockingClause].some(
    Boolean,
  );
  return !readsOtherRows && !JSON.stringify(targetList ?? []).includes('"over":');
}
