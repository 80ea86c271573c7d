import { ObjectType } from "type-graphql";
import { field, nullable, objectOf } from "../../model/fields.ts";
import { enumType } from "../../model/enum-type.ts";

/** What a right receiver does, and how to correct a wrong one, in the order of the checks. */
const checks = {
  VALID_EVENT: [
    "Recognizes a valid event",
    "Verify the body with the secret of this endpoint, and answer 2xx within 10 seconds. Then check again: the other checks need a valid event.",
  ],
  WRONG_SIGNATURE: [
    "Refuses a wrong signature",
    "Verify the signature before anything else, and answer 401 if it is wrong.",
  ],
  NO_SIGNATURE: [
    "Refuses a missing signature",
    "Verify the signature before anything else, and answer 401 if there is none.",
  ],
  ALTERED_BODY: [
    "Refuses an altered body",
    "Verify each delivery with all bytes of its body, also if you have its id, and answer 401 if one differs.",
  ],
  OLD_TIMESTAMP: [
    "Refuses an old timestamp",
    "Verify webhook-signature, and answer 401 if webhook-timestamp is more than five minutes from your clock. X-Webhook-Signature has no timestamp.",
  ],
  FUTURE_TIMESTAMP: [
    "Refuses a timestamp in the future",
    "Verify webhook-signature, and answer 401 if webhook-timestamp is more than five minutes from your clock, also if it is later.",
  ],
  REPEATED_EVENT: ["Accepts the same event again", "Answer 2xx to an event whose id you have, and do nothing."],
  CONCURRENT_EVENTS: [
    "Accepts the same event twice at once",
    "Store the id under a unique key. Answer 2xx if another request has stored it.",
  ],
  OLDER_VERSION: [
    "Accepts an older version after a newer one",
    "Answer 2xx to a version that is not higher than the one you have, and do nothing.",
  ],
  UNKNOWN_TOPIC: ["Accepts an unknown topic", "Answer 2xx to topics that you do not handle."],
  WHITESPACE: [
    "Accepts other spacing in the JSON",
    "Verify the bytes as received, before you parse them. JSON that you parse and print has another signature.",
  ],
  RESPONSE_TIME: ["Answers within a second", "Store the event, answer 2xx, and then do the work."],
} satisfies Record<string, [title: string, remedy: string]>;
export type ReceiverCheckName = keyof typeof checks;

const titles = Object.entries(checks).map(([name, [title]]) => [name, `${title}.`]);
const ReceiverCheckName = enumType(
  "ReceiverCheckName",
  "A check of a receiver.",
  Object.fromEntries(titles) as Record<ReceiverCheckName, string>,
);

@ObjectType({ description: "A check of a receiver, with its result.", simpleResolvers: true })
export class ReceiverCheck extends objectOf({
  check: field(ReceiverCheckName, "The check."),
  isRun: field(Boolean, "Whether the check ran. If not, `finding` says why."),
  isPassed: field(Boolean, "Whether the receiver passed the check. False if it did not run."),
  finding: field(String, "What the receiver did, such as: Responded with 500. Or why the check did not run."),
  title: field(String, "What a right receiver does."),
  remedy: nullable(String, "How to correct the receiver. Null if it passed the check, or the check did not run."),
}) {}

export function judge(
  check: ReceiverCheckName,
  isPassed: boolean,
  finding: string,
  remedy = checks[check][1],
): ReceiverCheck {
  return { check, isRun: true, isPassed, finding, title: checks[check][0], remedy: isPassed ? null : remedy };
}

/** All checks in their order. Those without a result did not run, for the reason given. */
export function completeChecks(results: readonly ReceiverCheck[], reason: string): ReceiverCheck[] {
  const made = new Map(results.map((result) => [result.check, result]));
  return (Object.keys(checks) as ReceiverCheckName[]).map((check) => {
    const finding = `Did not run: ${reason}`;
    return made.get(check) ?? { ...judge(check, false, finding), isRun: false, remedy: null };
  });
}
