import { OptionalProps } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { Words } from "../../../platform/postgres/types.ts";
import { Permission, ReadableWith } from "../permissions.ts";
import { pageOf } from "../page.ts";
import { DecimalScalar, TimestampScalar } from "../scalars.ts";
import { ActedRow } from "../created-row.ts";
import { DescribedRow, shopReference } from "../shop-row.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";
import { editable, storedFields } from "../editable.ts";
import { text } from "../text.ts";
import { foldText } from "../../../platform/fold-text.ts";
import { emailAddress, EMAIL_FORM } from "../../../platform/mail/email-address.ts";
import { z } from "zod";

const MIN_PHONE_DIGITS = 3;

/** Such as "ext. 5", "x5", "#5" or ";ext=5" (RFC 3966). */
const EXTENSION = /[,;]? ?(ext(ension|n)?[.:=]?|x|#) ?[0-9]+$/;

const phoneNumber = text({ max: 32 })
  .refine(
    (phone) => /^[0-9 +\-()./]*$/.test(phone.replace(EXTENSION, "")),
    "Must contain only digits, spaces and + - ( ) . /, and an extension such as ext. 5",
  )
  .refine((phone) => phone.replace(EXTENSION, "").replace(/\D/g, "").length >= MIN_PHONE_DIGITS, {
    error: `Must have at least ${MIN_PHONE_DIGITS} digits`,
    params: { code: "too_small" },
  });

/** A phone number is stored as searches read it, and an empty one is none. */
const phone = z
  .string()
  .transform(
    (typed) =>
      foldText(typed)
        .replace(/[\p{Dash_Punctuation}\u2212]/gu, "-")
        .replace(/\s+/g, " ")
        .trim() || null,
  )
  .pipe(phoneNumber.nullable())
  .nullable()
  .default(null);

const customerName = text({ max: 100, trim: true }).default("");
const nameTexts = {
  description: "Empty if unknown.",
  limits: "At most 100 characters after trimming.",
};

export const customerFields = {
  email: editable(String, emailAddress, {
    description: "The email address in ASCII, unique in the shop regardless of case.",
    limits: `The email address, unique in the shop regardless of case. ${EMAIL_FORM}`,
  }),
  firstName: editable(String, customerName, nameTexts),
  lastName: editable(String, customerName, nameTexts),
  phone: editable(String, phone, {
    description: "The phone number.",
    limits:
      "The phone number. At most 32 characters: at least 3 digits, spaces, + - ( ) . /, and an extension such as ext. 5. Stored with the characters of a keyboard.",
    changing: "Null or an empty text removes it.",
  }),
  note: editable(String, text({ max: 5_000 }).nullable().default(null), {
    description: "A note for staff, never shown to the customer.",
    limits: "A note for staff. At most 5000 characters.",
    complexity: 5,
  }),
};

@Entity({ tableName: "customers" })
@ReadableWith(Permission.READ_CUSTOMERS)
@ObjectType({ description: "Someone who buys from the shop.", simpleResolvers: true })
export class Customer extends rowOf(DescribedRow, {
  ...storedFields(customerFields),
  version: field(Int, "The version. Increases with every change to the customer or their store credit."),
  createdAt: field(TimestampScalar, "When the customer was created."),
  updatedAt: field(TimestampScalar, "When the customer or their store credit last changed."),
  erasedAt: nullable(TimestampScalar, "When their personal data was erased. Null for all other customers."),
}) {
  [OptionalProps]?: "version" | "editedVersion";

  /** The words that a search finds. */
  @Property({ type: Words, lazy: true })
  searchWords!: string;

  /** Changes of store credit are not edits. */
  @Property({ type: "integer", default: 1 })
  editedVersion!: number;
}

@ObjectType({ description: "A page of customers.", simpleResolvers: true })
export class CustomerPage extends pageOf(Customer) {}

/** An entry of the append-only ledger. The sum of a customer's entries is their store credit. */
@Entity({ tableName: "store_credit_entries" })
@ObjectType({ description: "A change to a customer's store credit.", simpleResolvers: true })
export class StoreCreditEntry extends rowOf(ActedRow, {
  amount: field(DecimalScalar, "The amount granted, in the shop's currency. Negative if it was spent."),
  reason: field(String, "The reason for granting or spending it."),
  orderId: nullable(ID, "The ID of the order that it was spent on or refunded for."),
  actorId: nullable(ID, "The ID of the staff member, service or API key that granted or spent it."),
  createdAt: field(TimestampScalar, "When it was granted or spent."),
}) {
  @ManyToOne(() => Customer, shopReference("customer_id"))
  customer!: Customer;

  /** Not mapped: read with the entry. */
  @Field(() => String, { nullable: true, description: "The number of the order. Null if orderId is null." })
  orderNumber?: string | null;
}
