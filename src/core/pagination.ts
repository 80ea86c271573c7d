import { Field, Int, ObjectType, type ClassType } from "type-graphql";
import { invalidInput } from "../platform/errors.ts";

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 250;
/** The largest page number: what a GraphQL Int can carry. */
export const MAX_PAGE = 2_147_483_647;

/** Which rows of a list: pages count from 1. */
export interface PageRequest {
  page: number;
  limit: number;
}

export interface Page<Item> {
  items: Item[];
  /** All matching rows, on every page. */
  total: number;
}

/** The base class of a list's GraphQL type. */
export function pageOf<Item extends object>(itemType: ClassType<Item>): ClassType<{ items: Item[]; total: number }> {
  @ObjectType({ simpleResolvers: true })
  abstract class PageType {
    @Field(() => [itemType])
    items!: Item[];

    @Field(() => Int, { description: "All matching records, not only those of this page." })
    total!: number;
  }
  return PageType as ClassType<{ items: Item[]; total: number }>;
}

/** @throws AppError VALIDATION_FAILED when the request is outside the bounds; nothing is ever clamped */
export function checkPage(request: PageRequest): void {
  const issues = [...outside("page", request.page, MAX_PAGE), ...outside("limit", request.limit, MAX_LIMIT)];
  if (issues.length > 0) throw invalidInput(issues);
}

function outside(path: string, value: number, most: number) {
  if (value < 1) return [{ path, code: "too_small", message: "Must be at least 1" }];
  if (value > most) return [{ path, code: "too_big", message: `Must be at most ${most}` }];
  return [];
}
