import { ArrayType, Type } from "@mikro-orm/core";

/**
 * `text[]` for any text. MikroORM's own type writes "null" as NULL and loses line breaks. The format:
 * https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
 */
export class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(value: string[] | null): string | null {
    return value && `{${value.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
  }

  override getColumnType(): string {
    return "text[]";
  }
}

/** A column of words for searches, in the notation of tsvector. MikroORM's own type would parse a text into words. */
export class Words extends Type<string, string> {
  override getColumnType(): string {
    return "tsvector";
  }
}
