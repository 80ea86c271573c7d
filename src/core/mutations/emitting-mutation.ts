import { Extensions, Mutation } from "type-graphql";
import type { Topic } from "../model/webhooks/topics.ts";

/**
 * A mutation that declares its topics in its description and as `extensions.emits` of its field. Each is emitted only
 * when its event occurs.
 */
export function EmittingMutation(
  returns: Parameters<typeof Mutation>[0] & (() => unknown),
  { emits, description }: { description: string; emits: readonly Topic[] },
): MethodDecorator {
  const text = `${description}\n\nEmits ${emits.join(", ")}.`;
  return (target, key, descriptor) => {
    Mutation(returns, { description: text })(target, key, descriptor);
    Extensions({ emits })(target, key);
  };
}
