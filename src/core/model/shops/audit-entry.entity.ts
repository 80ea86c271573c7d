import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { ID, ObjectType } from "type-graphql";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";
import { enumType } from "../enum-type.ts";
import { rowOf } from "../column.ts";
import { field, nullable, objectOf } from "../fields.ts";

/** The actions in the audit log. */
export const AuditAction = enumType("AuditAction", "An action in the audit log.", {
  API_KEY_CREATED: "An API key was created.",
  API_KEY_UPDATED: "An API key was renamed.",
  API_KEY_ROTATED: "An API key was rotated.",
  API_KEY_REVOKED: "An API key was revoked.",
  SERVICE_TOKEN_CREATED: "A service token was created.",
  SERVICE_TOKEN_UPDATED: "A service token was renamed.",
  SERVICE_TOKEN_REVOKED: "A service token was revoked.",
  WEBHOOK_ENDPOINT_CREATED: "A webhook endpoint was created.",
  WEBHOOK_ENDPOINT_UPDATED: "A webhook endpoint was updated, paused or resumed.",
  WEBHOOK_ENDPOINT_DELETED: "A webhook endpoint was deleted.",
  WEBHOOK_SECRET_ROTATED: "The signing secret of a webhook endpoint was rotated.",
  WEBHOOK_SECRET_ACTIVATED: "A new signing secret was activated before its scheduled time.",
  WEBHOOK_ENDPOINT_FAILING: "A webhook endpoint has failed for a day and will be disabled.",
  WEBHOOK_ENDPOINT_DISABLED: "A webhook endpoint was disabled because it is gone or keeps failing.",
  WEBHOOK_ENDPOINT_ENABLED: "A successful test event enabled a disabled webhook endpoint.",
  WEBHOOK_TEST_SENT: "A test event was sent to a webhook endpoint.",
  WEBHOOK_RECEIVER_CHECKED: "The receiver of a webhook endpoint was checked.",
  WEBHOOK_DELIVERY_REPLAYED: "A delivery to a webhook endpoint was replayed.",
  WEBHOOK_DELIVERIES_REPLAYED: "Failed deliveries to a webhook endpoint were replayed.",
  WEBHOOK_SECRETS_RESEALED: "Stored signing secrets and headers were encrypted with another key.",
  SHOP_CREATED: "The shop was created.",
  SHOP_UPDATED: "The shop's settings were changed.",
  PLAN_CHANGED: "The shop's plan or the end of its trial was changed.",
  SHOP_CLOSED: "The shop was closed for a move.",
  SHOP_OPENED: "The shop was opened again.",
  SHOP_EXPORTED: "The shop was exported to a file.",
  SHOP_IMPORTED: "The shop was imported from a file and opened.",
  SANDBOX_RESET: "The records of the sandbox were replaced.",
  MEMBER_INVITED: "A person was invited to the staff.",
  INVITATION_REVOKED: "An invitation was revoked.",
  INVITATION_ACCEPTED: "A person accepted an invitation and joined the staff.",
  MEMBER_ADDED: "A staff member was added.",
  MEMBER_ROLE_CHANGED: "The role of a staff member was changed.",
  MEMBER_REMOVED: "A staff member was removed or left.",
  MEMBER_LOGGED_IN: "A staff member logged in.",
  MEMBER_LOGIN_REFUSED: "A login as a staff member had a wrong password. Recorded at most once every 15 minutes.",
  MEMBER_CODE_REFUSED:
    "A login had the correct password of a staff member but a wrong two-factor code. Recorded at most once every 15 minutes.",
  MEMBER_LOCKED_OUT:
    "A login as a staff member was blocked after too many wrong passwords. Recorded at most once every 15 minutes.",
  MEMBER_SESSIONS_ENDED: "Sessions of a staff member were ended, by an owner or by the staff member.",
  ORDER_UPDATED: "The customer, the notes or the metadata of an order were changed.",
  PAYMENT_RECORDED: "A payment for an order was recorded.",
  PAYMENT_SETTLED: "The status of a payment was updated.",
  ORDER_FULFILLED: "Units of an order were fulfilled.",
  ORDER_CANCELLED: "An order was cancelled.",
  ORDER_REFUNDED: "Money was refunded or units were returned for an order.",
  PRODUCT_UPDATED: "A product or its variants were updated.",
  PRODUCT_DELETED: "A product was deleted.",
  IMPORT_STARTED: "An import of products or customers was started.",
  IMPORT_CANCELLED: "An import of products or customers was cancelled after its start.",
  IMPORT_FINISHED: "An import of products or customers ended.",
  CUSTOMER_UPDATED: "A customer was updated.",
  CUSTOMER_ERASED: "The personal data of a customer was erased.",
  CUSTOMER_EXPORTED: "The data about a customer was exported.",
  LIST_EXPORTED: "Products, customers or orders were exported as CSV.",
  STORE_CREDIT_GRANTED: "A customer was granted store credit.",
  STORE_CREDIT_SPENT: "Store credit of a customer was spent outside of an order.",
  MEMBER_PASSWORD_SET: "An operator set a new password for a staff member.",
  MEMBER_DISABLED: "An operator disabled the account of a staff member.",
  MEMBER_ENABLED: "An operator enabled the account of a staff member again.",
  MEMBER_SECOND_FACTOR_ENABLED: "A staff member turned on two-factor authentication.",
  MEMBER_SECOND_FACTOR_DISABLED: "A staff member, or an operator for them, turned off two-factor authentication.",
  MEMBER_RECOVERY_CODE_USED: "A staff member used a recovery code instead of a two-factor code.",
  MEMBER_RECOVERY_CODES_REPLACED: "A staff member replaced their recovery codes.",
  MEMBER_PASSWORD_RESET: "A staff member reset their password by email.",
  MEMBER_PASSWORD_CHANGED: "A staff member changed their password.",
  NOTIFICATION_SETTINGS_UPDATED: "A staff member changed their email notifications.",
});
export type AuditAction = keyof typeof AuditAction;

const ActorKind = enumType("ActorKind", "The kind of actor that made a change.", {
  STAFF: "A staff member.",
  SERVICE: "A service token or an API key.",
  OPERATOR: "An operator, on the command line.",
  SYSTEM: "The service itself.",
});
type ActorKind = keyof typeof ActorKind;

@ObjectType({ description: "A detail of an entry in the audit log.", simpleResolvers: true })
export class AuditDetail extends objectOf({
  name: field(String, "The name of the detail, such as scopes."),
  value: field(String, "The value at that time, as text."),
}) {}

/** An action with its actor, target, time and origin. Append-only, without secrets. */
@Entity({ tableName: "audit_entries" })
@ObjectType({ description: "An entry in the audit log.", simpleResolvers: true })
export class AuditEntry extends rowOf(ShopRow, {
  action: field(AuditAction, "The action."),
  actorKind: field(ActorKind, "The kind of actor that performed the action."),
  actorId: nullable(
    ID,
    "The ID of the staff member or service that performed the action. Null for operators and the system.",
  ),
  actorName: nullable(String, "The email address or the name of the actor at that time."),
  targetId: field(ID, "The ID of the record that the action affected."),
  targetName: field(
    String,
    "The name of the affected record at that time: a name, a number, or a URL without its query. For a customer, the ID.",
  ),
  address: nullable(String, "The IP address of the request, if known."),
  userAgent: nullable(String, "The User-Agent of the request, if known."),
  createdAt: field(TimestampScalar, "When the action was performed."),
}) {
  /** GraphQL shows it as a list. */
  @Property({ type: "json" })
  details!: Record<string, string>;
}

@ObjectType({ description: "A page of the audit log.", simpleResolvers: true })
export class AuditEntryPage extends pageOf(AuditEntry) {}
