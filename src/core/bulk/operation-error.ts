import { Field, ObjectType } from "type-graphql";
import { AppError, type InputIssue } from "../model/errors.ts";

@ObjectType({ description: "One thing that is wrong with an input.", simpleResolvers: true })
class OperationIssue {
  @Field(() => String, { description: "Leads to the value inside the input, dots between names." })
  path!: string;

  @Field(() => String, { description: "The reason of the refusal, for programs." })
  code!: string;

  @Field(() => String, { description: "The reason of the refusal, for people." })
  message!: string;
}

@ObjectType({
  description: "The reason why one item of a request was refused: the error that a request for it alone would have.",
  simpleResolvers: true,
})
export class OperationError {
  @Field(() => String, { description: "A code for programs, such as VALIDATION_FAILED or NOT_FOUND." })
  code!: string;

  @Field(() => String, { description: "For people." })
  message!: string;

  @Field(() => String, { nullable: true, description: "What to do about it." })
  hint!: string | null;

  @Field(() => [OperationIssue], { description: "Everything that is wrong with the item; empty for other errors." })
  issues!: InputIssue[];
}

/** Converts an error to a part of the answer. Faults of the service are thrown. */
export function collectError(error: unknown): OperationError {
  if (!(error instanceof AppError)) throw error;
  const { code, message, hint = null, issues = [] } = error;
  return { code, message, hint, issues };
}
