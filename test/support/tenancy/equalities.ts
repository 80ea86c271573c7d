import type { Node } from "libpg-query";
import { textOf } from "./scope.ts";

/** An expression, or the column of a subquery at this position. */
export interface Side {
  node: Node;
  column: number;
}

/** The equalities that are implied by a condition. */
export function equalitiesIn(condition: Node | undefined): [Side, Side][] {
  if (!condition) return [];
  if ("BoolExpr" in condition) {
    const { boolop, args = [] } = condition.BoolExpr;
    return boolop === "AND_EXPR" ? args.flatMap(equalitiesIn) : [];
  }
  if ("SubLink" in condition) {
    const { subLinkType, operName, testexpr } = condition.SubLink;
    const isEquality = operName === undefined || textOf(operName[0]) === "=";
    return subLinkType === "ANY_SUBLINK" && isEquality ? pairs(testexpr, condition) : [];
  }
  if (!("A_Expr" in condition) || textOf(condition.A_Expr.name?.[0]) !== "=") return [];
  const { kind, lexpr, rexpr } = condition.A_Expr;
  if (kind === "AEXPR_OP") return pairs(lexpr, rexpr);
  if (kind !== "AEXPR_IN" || !rexpr) return [];
  // A list of several values may contain several shops.
  const [first, ...others] = itemsOf(rexpr);
  return pairs(lexpr, first).filter(([, { node }], part) =>
    others.every((other) => contentOf(partsOf(other)[part]) === contentOf(node)),
  );
}

function contentOf(node: Node | undefined): string {
  return JSON.stringify(node, (key, value) => (key === "location" ? undefined : value)) ?? "";
}

export function itemsOf(node: Node): readonly Node[] {
  return "List" in node ? (node.List.items ?? []) : [];
}

/** The sides of a comparison, element by element for rows. */
function pairs(one: Node | undefined, other: Node | undefined): [Side, Side][] {
  if (!one || !other) return [];
  const width = Math.max(partsOf(one).length, partsOf(other).length);
  const sides = (node: Node): Side[] =>
    "SubLink" in node
      ? Array.from({ length: width }, (_, column) => ({ node, column }))
      : partsOf(node).map((part) => ({ node: part, column: 0 }));
  const others = sides(other);
  return sides(one).flatMap((side, index) => (others[index] ? [[side, others[index]]] : []));
}

function partsOf(node: Node): readonly Node[] {
  return "RowExpr" in node ? (node.RowExpr.args ?? []) : [node];
}
