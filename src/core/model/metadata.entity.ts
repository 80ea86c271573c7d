import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, InputType, ObjectType } from "type-graphql";
import { z } from "zod";
import { editable } from "./editable.ts";
import { field, inputOf, nullable } from "./fields.ts";
import { text } from "./text.ts";

/** The most keys of a record. */
export const MAX_KEYS = 20;

/** Keys with values of the merchant's own, such as the id of the record in another system. */
@Entity({ tableName: "metadata" })
@ObjectType("Metadata", { description: "A key of a record with its value.", simpleResolvers: true })
@InputType("MetadataFilter", { description: "A key, and the whole value that it has." })
export class MetadataEntry {
  [PrimaryKeyProp]?: ["shopId", "recordId", "key"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  recordId!: string;

  /** The prefix of the record's id. */
  @Property({ type: "text" })
  kind!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => String, { description: "The key, such as erp_id." })
  key!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The value." })
  value!: string;
}

export type Metadata = Pick<MetadataEntry, "key" | "value">;

@InputType({ description: "A key with its value." })
export class MetadataInput extends inputOf({
  key: field(String, "The key: 1 to 40 letters from A to Z, digits, dots, hyphens and underscores."),
  value: nullable(String, "The value, 1 to 500 characters after trimming. Null removes it."),
}) {}

const entry = z.strictObject({
  key: z.string().regex(/^[\w.-]{1,40}$/, "Must be 1 to 40 letters from A to Z, digits, dots, hyphens and underscores"),
  value: text({ min: 1, max: 500, trim: true }),
});

export const metadataFilterSchema = z.strictObject({ metadata: entry });

const changes = z
  .array(entry.extend({ value: entry.shape.value.nullable() }))
  .max(MAX_KEYS)
  .superRefine((entries, context) => {
    const keys = entries.map(({ key }) => key);
    const index = keys.findIndex((key, at) => keys.indexOf(key) !== at);
    const issue = { path: [index, "key"], message: "Must be given only once", params: { code: "repeated" } };
    if (index >= 0) context.addIssue({ code: "custom", ...issue });
  });

/** A key with its new value. Null removes it. */
export type MetadataChange = z.output<typeof changes>[number];

/** The metadata of a variant, and of changes to a record. */
export const metadataField = {
  metadata: editable([MetadataInput], changes.nullish(), {
    description: `Keys with values of your own, such as the ID in another system. At most ${MAX_KEYS}.`,
    changing: "Keys that are not given are left unchanged.",
    ignoresNull: true,
  }),
};

/** The metadata of another new record. */
export const newMetadata = {
  ...metadataField,
  uniqueMetadata: editable([String], z.array(z.string()).max(MAX_KEYS).nullish(), {
    description: "Keys whose values no other record may have. Otherwise the creation fails, and names its ID.",
  }),
};
