import { Field, ObjectType } from "type-graphql";
import { AppError, type InputIssue } from "../model/errors.ts";

@ObjectType({ description: "A problem with an input.", simpleResolvers: true })
class OperationIssue {
  @Field(() => String, { description: "The path of the value in the input, with dots between names." })
  path!: string;

  @Field(() => String, { description: "A machine-readable code." })
  code!: string;

  @Field(() => String, { description: "A human-readable message." })
  message!: string;
}

@ObjectType({
  description: "The error of one item, the same as in a request with this item alone.",
  simpleResolvers: true,
})
export class OperationError {
  @Field(() => String, { description: "A machine-readable code, such as VALIDATION_FAILED or NOT_FOUND." })
  code!: string;

  @Field(() => String, { description: "A human-readable message." })
  message!: string;

  @Field(() => String, { nullable: true, description: "How to fix the error." })
  hint!: string | null;

  @Field(() => [OperationIssue], { description: "The problems with the input. Empty for other errors." })
  issues!: InputIssue[];
}

/** Converts an error to a part of the answer. Faults of the service are thrown. */
export function collectError(error: unknown): OperationError {
  if (!(error instanceof AppError)) throw error;
  const { code, message, hint = null, issues = [] } = error;
  return { code, message, hint, issues };
}
