import type { ApiDocument, Operation, Parameter, Route } from "./document.ts";
import type { SampleRequest } from "./samples.ts";

/** An example value. The document has none for optional parameters, because clients that import it would send them. */
export function exampleOf({ example, description = "" }: Parameter): string | undefined {
  return example === undefined ? /Example: `([^`]+)`/.exec(description)?.[1] : String(example);
}

/** The request of an operation's samples, with the examples of the document. */
export function exampleRequest(document: ApiDocument, { method, path, operation }: Route): SampleRequest {
  const examples = (operation.parameters ?? []).map((each) => [each.name, exampleOf(each) ?? "", each.in] as const);
  const values = Object.fromEntries(examples);
  return {
    method,
    url: document.servers[0]!.url + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!),
    headers: Object.fromEntries(examples.filter(([, , place]) => place === "header")),
    body: exampleBody(operation),
    needsKey: needsKey(operation),
  };
}

export const needsKey = ({ security }: Operation): boolean => security?.length !== 0;

export function exampleBody({ requestBody }: Operation): string | undefined {
  return requestBody && toJson(requestBody.content["application/json"]!.example);
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);
