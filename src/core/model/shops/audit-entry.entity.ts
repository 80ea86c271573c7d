import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

/** The actions in the audit log. */
export enum AuditAction {
  API_KEY_CREATED = "API_KEY_CREATED",
  API_KEY_UPDATED = "API_KEY_UPDATED",
  API_KEY_ROTATED = "API_KEY_ROTATED",
  API_KEY_REVOKED = "API_KEY_REVOKED",
  SERVICE_TOKEN_CREATED = "SERVICE_TOKEN_CREATED",
  SERVICE_TOKEN_UPDATED = "SERVICE_TOKEN_UPDATED",
  SERVICE_TOKEN_REVOKED = "SERVICE_TOKEN_REVOKED",
  WEBHOOK_ENDPOINT_CREATED = "WEBHOOK_ENDPOINT_CREATED",
  WEBHOOK_ENDPOINT_UPDATED = "WEBHOOK_ENDPOINT_UPDATED",
  WEBHOOK_ENDPOINT_DELETED = "WEBHOOK_ENDPOINT_DELETED",
  WEBHOOK_SECRET_ROTATED = "WEBHOOK_SECRET_ROTATED",
  WEBHOOK_SECRET_ACTIVATED = "WEBHOOK_SECRET_ACTIVATED",
  WEBHOOK_ENDPOINT_FAILING = "WEBHOOK_ENDPOINT_FAILING",
  WEBHOOK_ENDPOINT_DISABLED = "WEBHOOK_ENDPOINT_DISABLED",
  WEBHOOK_ENDPOINT_ENABLED = "WEBHOOK_ENDPOINT_ENABLED",
  WEBHOOK_TEST_SENT = "WEBHOOK_TEST_SENT",
  WEBHOOK_DELIVERY_REPLAYED = "WEBHOOK_DELIVERY_REPLAYED",
  WEBHOOK_DELIVERIES_REPLAYED = "WEBHOOK_DELIVERIES_REPLAYED",
  WEBHOOK_SECRETS_RESEALED = "WEBHOOK_SECRETS_RESEALED",
  SHOP_CREATED = "SHOP_CREATED",
  SHOP_UPDATED = "SHOP_UPDATED",
  PLAN_CHANGED = "PLAN_CHANGED",
  SHOP_CLOSED = "SHOP_CLOSED",
  SHOP_OPENED = "SHOP_OPENED",
  SHOP_EXPORTED = "SHOP_EXPORTED",
  SHOP_IMPORTED = "SHOP_IMPORTED",
  MEMBER_INVITED = "MEMBER_INVITED",
  INVITATION_REVOKED = "INVITATION_REVOKED",
  INVITATION_ACCEPTED = "INVITATION_ACCEPTED",
  MEMBER_ADDED = "MEMBER_ADDED",
  MEMBER_ROLE_CHANGED = "MEMBER_ROLE_CHANGED",
  MEMBER_REMOVED = "MEMBER_REMOVED",
  MEMBER_LOGGED_IN = "MEMBER_LOGGED_IN",
  MEMBER_LOGIN_REFUSED = "MEMBER_LOGIN_REFUSED",
  MEMBER_CODE_REFUSED = "MEMBER_CODE_REFUSED",
  MEMBER_LOCKED_OUT = "MEMBER_LOCKED_OUT",
  MEMBER_SESSIONS_ENDED = "MEMBER_SESSIONS_ENDED",
  ORDER_UPDATED = "ORDER_UPDATED",
  PAYMENT_RECORDED = "PAYMENT_RECORDED",
  PAYMENT_SETTLED = "PAYMENT_SETTLED",
  ORDER_FULFILLED = "ORDER_FULFILLED",
  ORDER_CANCELLED = "ORDER_CANCELLED",
  ORDER_REFUNDED = "ORDER_REFUNDED",
  PRODUCT_UPDATED = "PRODUCT_UPDATED",
  PRODUCT_DELETED = "PRODUCT_DELETED",
  CUSTOMER_UPDATED = "CUSTOMER_UPDATED",
  STORE_CREDIT_GRANTED = "STORE_CREDIT_GRANTED",
  STORE_CREDIT_SPENT = "STORE_CREDIT_SPENT",
  MEMBER_PASSWORD_SET = "MEMBER_PASSWORD_SET",
  MEMBER_DISABLED = "MEMBER_DISABLED",
  MEMBER_ENABLED = "MEMBER_ENABLED",
  MEMBER_SECOND_FACTOR_ENABLED = "MEMBER_SECOND_FACTOR_ENABLED",
  MEMBER_SECOND_FACTOR_DISABLED = "MEMBER_SECOND_FACTOR_DISABLED",
  MEMBER_RECOVERY_CODE_USED = "MEMBER_RECOVERY_CODE_USED",
  MEMBER_RECOVERY_CODES_REPLACED = "MEMBER_RECOVERY_CODES_REPLACED",
  MEMBER_PASSWORD_RESET = "MEMBER_PASSWORD_RESET",
  MEMBER_PASSWORD_CHANGED = "MEMBER_PASSWORD_CHANGED",
  NOTIFICATION_SETTINGS_UPDATED = "NOTIFICATION_SETTINGS_UPDATED",
}

registerEnumType(AuditAction, {
  name: "AuditAction",
  description: "An action in the audit log.",
  valuesConfig: {
    API_KEY_CREATED: { description: "An API key was created." },
    API_KEY_UPDATED: { description: "An API key was renamed." },
    API_KEY_ROTATED: { description: "An API key was rotated." },
    API_KEY_REVOKED: { description: "An API key was revoked." },
    SERVICE_TOKEN_CREATED: { description: "A service token was created." },
    SERVICE_TOKEN_UPDATED: { description: "A service token was renamed." },
    SERVICE_TOKEN_REVOKED: { description: "A service token was revoked." },
    WEBHOOK_ENDPOINT_CREATED: { description: "A webhook endpoint was created." },
    WEBHOOK_ENDPOINT_UPDATED: { description: "A webhook endpoint was updated, paused or resumed." },
    WEBHOOK_ENDPOINT_DELETED: { description: "A webhook endpoint was deleted." },
    WEBHOOK_SECRET_ROTATED: { description: "The signing secret of a webhook endpoint was rotated." },
    WEBHOOK_SECRET_ACTIVATED: { description: "A new signing secret was activated before its scheduled time." },
    WEBHOOK_ENDPOINT_FAILING: { description: "A webhook endpoint has failed for a day and will be disabled." },
    WEBHOOK_ENDPOINT_DISABLED: { description: "A webhook endpoint was disabled because it is gone or keeps failing." },
    WEBHOOK_ENDPOINT_ENABLED: { description: "A successful test event enabled a disabled webhook endpoint." },
    WEBHOOK_TEST_SENT: { description: "A test event was sent to a webhook endpoint." },
    WEBHOOK_DELIVERY_REPLAYED: { description: "A delivery to a webhook endpoint was replayed." },
    WEBHOOK_DELIVERIES_REPLAYED: { description: "Failed deliveries to a webhook endpoint were replayed." },
    WEBHOOK_SECRETS_RESEALED: { description: "Stored signing secrets and headers were encrypted with another key." },
    SHOP_CREATED: { description: "The shop was created." },
    SHOP_UPDATED: { description: "The shop's settings were changed." },
    PLAN_CHANGED: { description: "The shop's plan or the end of its trial was changed." },
    SHOP_CLOSED: { description: "The shop was closed for a move." },
    SHOP_OPENED: { description: "The shop was opened again." },
    SHOP_EXPORTED: { description: "The shop was exported to a file." },
    SHOP_IMPORTED: { description: "The shop was imported from a file and opened." },
    MEMBER_INVITED: { description: "A person was invited to the staff." },
    INVITATION_REVOKED: { description: "An invitation was revoked." },
    INVITATION_ACCEPTED: { description: "A person accepted an invitation and joined the staff." },
    MEMBER_ADDED: { description: "A staff member was added." },
    MEMBER_ROLE_CHANGED: { description: "The role of a staff member was changed." },
    MEMBER_REMOVED: { description: "A staff member was removed or left." },
    MEMBER_LOGGED_IN: { description: "A staff member logged in." },
    MEMBER_LOGIN_REFUSED: {
      description: "A login as a staff member had a wrong password. Recorded at most once every 15 minutes.",
    },
    MEMBER_CODE_REFUSED: {
      description:
        "A login had the correct password of a staff member but a wrong two-factor code. Recorded at most once every 15 minutes.",
    },
    MEMBER_LOCKED_OUT: {
      description:
        "A login as a staff member was blocked after too many wrong passwords. Recorded at most once every 15 minutes.",
    },
    MEMBER_SESSIONS_ENDED: {
      description: "Sessions of a staff member were ended, by an owner or by the staff member.",
    },
    ORDER_UPDATED: { description: "The customer or the notes of an order were changed." },
    PAYMENT_RECORDED: { description: "A payment for an order was recorded." },
    PAYMENT_SETTLED: { description: "The status of a payment was updated." },
    ORDER_FULFILLED: { description: "Units of an order were fulfilled." },
    ORDER_CANCELLED: { description: "An order was cancelled." },
    ORDER_REFUNDED: { description: "Money was refunded or units were returned for an order." },
    PRODUCT_UPDATED: { description: "A product or its variants were updated." },
    PRODUCT_DELETED: { description: "A product was deleted." },
    CUSTOMER_UPDATED: { description: "A customer was updated." },
    STORE_CREDIT_GRANTED: { description: "A customer was granted store credit." },
    STORE_CREDIT_SPENT: { description: "Store credit of a customer was spent outside of an order." },
    MEMBER_PASSWORD_SET: { description: "An operator set a new password for a staff member." },
    MEMBER_DISABLED: { description: "An operator disabled the account of a staff member." },
    MEMBER_ENABLED: { description: "An operator enabled the account of a staff member again." },
    MEMBER_SECOND_FACTOR_ENABLED: { description: "A staff member turned on two-factor authentication." },
    MEMBER_SECOND_FACTOR_DISABLED: {
      description: "A staff member, or an operator for them, turned off two-factor authentication.",
    },
    MEMBER_RECOVERY_CODE_USED: {
      description: "A staff member used a recovery code instead of a two-factor code.",
    },
    MEMBER_RECOVERY_CODES_REPLACED: { description: "A staff member replaced their recovery codes." },
    MEMBER_PASSWORD_CHANGED: { description: "A staff member changed their password." },
    MEMBER_PASSWORD_RESET: { description: "A staff member reset their password by email." },
    NOTIFICATION_SETTINGS_UPDATED: { description: "A staff member changed their email notifications." },
  },
});

const ActorKind = { STAFF: "STAFF", SERVICE: "SERVICE", OPERATOR: "OPERATOR", SYSTEM: "SYSTEM" } as const;

registerEnumType(ActorKind, {
  name: "ActorKind",
  description: "The kind of actor that made a change.",
  valuesConfig: {
    STAFF: { description: "A staff member." },
    SERVICE: { description: "A service token or an API key." },
    OPERATOR: { description: "An operator, on the command line." },
    SYSTEM: { description: "The service itself." },
  },
});

@ObjectType({ description: "A detail of an entry in the audit log.", simpleResolvers: true })
export class AuditDetail {
  @Field(() => String, { description: "The name of the detail, such as scopes." })
  name!: string;

  @Field(() => String, { description: "The value at that time, as text." })
  value!: string;
}

/** An action with its actor, target, time and origin. Append-only, without secrets. */
@Entity({ tableName: "audit_entries" })
@ObjectType({ description: "An entry in the audit log.", simpleResolvers: true })
export class AuditEntry extends ShopRow {
  @Property({ type: "text" })
  @Field(() => AuditAction, { description: "The action." })
  action!: AuditAction;

  @Property({ type: "text" })
  @Field(() => ActorKind, { description: "The kind of actor that performed the action." })
  actorKind!: keyof typeof ActorKind;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: "The ID of the staff member or service that performed the action. Null for operators and the system.",
  })
  actorId!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The email address or the name of the actor at that time." })
  actorName!: string | null;

  @Property({ type: "text" })
  @Field(() => ID, { description: "The ID of the record that the action affected." })
  targetId!: string;

  @Property({ type: "text" })
  @Field(() => String, {
    description:
      "The name of the affected record at that time: a name, a number, or a URL without its query. For a customer, the ID.",
  })
  targetName!: string;

  /** GraphQL shows it as a list. */
  @Property({ type: "json" })
  details!: Record<string, string>;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The IP address of the request, if known." })
  address!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The User-Agent of the request, if known." })
  userAgent!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When the action was performed." })
  createdAt!: Date;
}

@ObjectType({ description: "A page of the audit log.", simpleResolvers: true })
export class AuditEntryPage extends pageOf(AuditEntry) {}
