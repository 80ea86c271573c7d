import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

/** The actions that the audit log tells of. */
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
  description: "What the audit log tells of.",
  valuesConfig: {
    API_KEY_CREATED: { description: "An API key was created." },
    API_KEY_UPDATED: { description: "An API key got another name." },
    API_KEY_ROTATED: { description: "An API key got a successor." },
    API_KEY_REVOKED: { description: "An API key was ended for good." },
    SERVICE_TOKEN_CREATED: { description: "A service token was created." },
    SERVICE_TOKEN_UPDATED: { description: "A service token got another name." },
    SERVICE_TOKEN_REVOKED: { description: "A service token was ended for good." },
    WEBHOOK_ENDPOINT_CREATED: { description: "A webhook endpoint was created." },
    WEBHOOK_ENDPOINT_UPDATED: { description: "A webhook endpoint was changed, paused or unpaused." },
    WEBHOOK_ENDPOINT_DELETED: { description: "A webhook endpoint was deleted." },
    WEBHOOK_SECRET_ROTATED: { description: "A webhook endpoint got a new signing secret." },
    WEBHOOK_SECRET_ACTIVATED: { description: "A new signing secret took over before its time." },
    WEBHOOK_ENDPOINT_FAILING: { description: "A webhook endpoint has failed for a day, and will be disabled." },
    WEBHOOK_ENDPOINT_DISABLED: { description: "A webhook endpoint was disabled, for it is gone or kept failing." },
    WEBHOOK_ENDPOINT_ENABLED: { description: "A test event reached a webhook endpoint that was disabled." },
    WEBHOOK_TEST_SENT: { description: "A webhook endpoint was sent a test event." },
    WEBHOOK_DELIVERY_REPLAYED: { description: "A delivery to a webhook endpoint was replayed." },
    WEBHOOK_DELIVERIES_REPLAYED: { description: "Deliveries that a webhook endpoint had missed were replayed." },
    WEBHOOK_SECRETS_RESEALED: { description: "Stored signing secrets and headers were encrypted under another key." },
    SHOP_CREATED: { description: "The shop was created." },
    SHOP_UPDATED: { description: "The shop's settings were changed." },
    PLAN_CHANGED: { description: "The shop got another plan, or its trial another end." },
    SHOP_CLOSED: { description: "The shop was closed, so that it could move." },
    SHOP_OPENED: { description: "The shop was opened again where it had been closed." },
    SHOP_EXPORTED: { description: "Everything of the shop was written to a file, so that it could move." },
    SHOP_IMPORTED: { description: "The shop came here from such a file, and was opened." },
    MEMBER_INVITED: { description: "Somebody was invited to the staff." },
    INVITATION_REVOKED: { description: "An invitation was taken back." },
    INVITATION_ACCEPTED: { description: "Somebody joined the staff by an invitation." },
    MEMBER_ADDED: { description: "Somebody was added to the staff." },
    MEMBER_ROLE_CHANGED: { description: "A member of staff got another role." },
    MEMBER_REMOVED: { description: "A member of staff was removed, or left." },
    MEMBER_LOGGED_IN: { description: "A member of staff logged in." },
    MEMBER_LOGIN_REFUSED: {
      description:
        "Somebody, perhaps a stranger, showed a wrong password for a member of staff. The first in a quarter of an hour.",
    },
    MEMBER_CODE_REFUSED: {
      description:
        "Somebody, perhaps a thief, showed the right password of a member of staff and a wrong code of the second factor. " +
        "The first in a quarter of an hour.",
    },
    MEMBER_LOCKED_OUT: {
      description:
        "Somebody, perhaps a stranger, was refused after too many wrong passwords for a member of staff. At most one in " +
        "a quarter of an hour.",
    },
    MEMBER_SESSIONS_ENDED: {
      description: "Sessions of a member of staff were ended: by an owner, all of them, or by themselves.",
    },
    ORDER_UPDATED: { description: "What is noted with an order was changed." },
    PAYMENT_RECORDED: { description: "A payment towards an order was recorded." },
    PAYMENT_SETTLED: { description: "What became of a payment was noted." },
    ORDER_FULFILLED: { description: "Units of an order were handed over." },
    ORDER_CANCELLED: { description: "An order was cancelled." },
    ORDER_REFUNDED: { description: "Money, units or both of an order were given back." },
    PRODUCT_UPDATED: { description: "A product or its variants were changed." },
    PRODUCT_DELETED: { description: "A product was deleted." },
    CUSTOMER_UPDATED: { description: "A customer was changed." },
    STORE_CREDIT_GRANTED: { description: "A customer was granted store credit." },
    STORE_CREDIT_SPENT: { description: "Store credit of a customer was spent, other than on an order." },
    MEMBER_PASSWORD_SET: { description: "A member of staff got another password from an operator." },
    MEMBER_DISABLED: { description: "An operator disabled the account of a member of staff." },
    MEMBER_ENABLED: { description: "An operator enabled the account of a member of staff again." },
    MEMBER_SECOND_FACTOR_ENABLED: { description: "A member of staff turned a second factor on." },
    MEMBER_SECOND_FACTOR_DISABLED: {
      description: "A member of staff, or an operator for them, turned their second factor off.",
    },
    MEMBER_RECOVERY_CODE_USED: {
      description: "A member of staff showed a recovery code in the place of their second factor.",
    },
    MEMBER_RECOVERY_CODES_REPLACED: { description: "A member of staff got new recovery codes." },
    MEMBER_PASSWORD_CHANGED: { description: "A member of staff changed their own password." },
    MEMBER_PASSWORD_RESET: { description: "A member of staff set another password by a mailed token." },
    NOTIFICATION_SETTINGS_UPDATED: { description: "A member of staff chose which mails about the shop they get." },
  },
});

const ActorKind = { STAFF: "STAFF", SERVICE: "SERVICE", OPERATOR: "OPERATOR", SYSTEM: "SYSTEM" } as const;

registerEnumType(ActorKind, {
  name: "ActorKind",
  description: "What kind of caller changed something.",
  valuesConfig: {
    STAFF: { description: "A member of staff." },
    SERVICE: { description: "A service of the shop's own, or an API key." },
    OPERATOR: { description: "Whoever runs the server, by a command." },
    SYSTEM: { description: "The server by itself." },
  },
});

@ObjectType({ description: "One detail of what was done.", simpleResolvers: true })
export class AuditDetail {
  @Field(() => String, { description: "What it is, such as scopes." })
  name!: string;

  @Field(() => String, { description: "Its value at that time, as text." })
  value!: string;
}

/** One thing that was done: by whom, to what, when, from where. Append-only, and without any secret. */
@Entity({ tableName: "audit_entries" })
@ObjectType({ description: "One thing that was done in the shop, and by whom.", simpleResolvers: true })
export class AuditEntry extends ShopRow {
  @Property({ type: "text" })
  @Field(() => AuditAction, { description: "What was done." })
  action!: AuditAction;

  @Property({ type: "text" })
  @Field(() => ActorKind, { description: "What kind of caller did it." })
  actorKind!: keyof typeof ActorKind;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: "The member or service that did it; null for an operator and the system.",
  })
  actorId!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "The caller's e-mail address or name, as it was then." })
  actorName!: string | null;

  @Property({ type: "text" })
  @Field(() => ID, { description: "What it was done to." })
  targetId!: string;

  @Property({ type: "text" })
  @Field(() => String, {
    description:
      "The subject's name at that time: a name, a number, or an address without its query; for a customer, the id.",
  })
  targetName!: string;

  /** GraphQL shows it as a list. */
  @Property({ type: "json" })
  details!: Record<string, string>;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "IP address that the request came from, where it is known." })
  address!: string | null;

  @Property({ type: "text", nullable: true })
  @Field(() => String, { nullable: true, description: "User-Agent of the request, where there was one." })
  userAgent!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was done." })
  createdAt!: Date;
}

@ObjectType({ description: "A page of the audit log.", simpleResolvers: true })
export class AuditEntryPage extends pageOf(AuditEntry) {}
