import { Type } from "@mikro-orm/core";

/** A column of words for searches, in the notation of tsvector. MikroORM's own type would parse a text into words. */
export class Words extends Type<string, string> {
  override getColumnType(): string {
    return "tsvector";
  }
}
