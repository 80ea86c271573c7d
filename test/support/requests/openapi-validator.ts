import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { TestServer } from "../server.ts";

interface Documented {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

interface Operation {
  responses: Record<string, { $ref?: string; headers?: Record<string, Header>; content?: Record<string, unknown> }>;
}

interface Header {
  $ref?: string;
  required?: boolean;
}

interface Description {
  components?: { headers?: Record<string, Header> };
  paths: Record<string, Record<string, Operation>>;
}

/** Compiles the schemas of a served document once for each server. */
const validators = new WeakMap<Pick<TestServer, "url">, Promise<Validator>>();

/** @throws Error when the document does not describe the answer */
export async function assertDocumented(
  server: Pick<TestServer, "url">,
  method: string,
  path: string,
  answer: Documented,
): Promise<void> {
  let validator = validators.get(server);
  if (!validator) {
    validator = loadValidator(server.url);
    validators.set(server, validator);
  }
  (await validator).assert(method, `/api/v1${path.replace(/[?#].*/s, "")}`, answer);
}

async function loadValidator(url: string): Promise<Validator> {
  const response = await fetch(`${url}/api/v1/openapi.json`);
  return new Validator((await response.json()) as Description);
}

export class Validator {
  readonly #description: Description;
  readonly #ajv: Ajv;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(description: Description) {
    this.#description = description;
    // OpenAPI adds keywords to JSON Schema. Ajv supports the relevant one, `nullable`.
    this.#ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
    this.#ajv.addSchema(description, "openapi");
  }

  /** @throws Error when the document does not describe the answer */
  assert(method: string, path: string, answer: Documented): void {
    const found = this.#findOperation(method, path);
    const where = `${method} ${path} ${answer.status}`;
    if (!found) return this.#assertError(where, answer, [404, 405]);
    const { template, operation } = found;
    const key = [String(answer.status), `${String(answer.status)[0]}XX`].find((status) => operation.responses[status]);
    if (key === undefined) throw new Error(`${where}: the status is not documented. ${answer.text}`);
    const documented = operation.responses[key]!;
    this.#assertHeaders(where, answer, documented.headers ?? {});
    if (!documented.content) {
      if (answer.text !== "") throw new Error(`${where}: a body is not documented`);
      return;
    }
    if (method === "HEAD") return;
    const pointer = ["paths", template, this.#verb(method), "responses", key, "content", "application/json", "schema"];
    this.#assertBody(where, answer, pointer);
  }

  #findOperation(method: string, path: string): { template: string; operation: Operation } | undefined {
    for (const [template, operations] of Object.entries(this.#description.paths)) {
      const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`);
      const operation = operations[this.#verb(method)];
      if (pattern.test(path) && operation) return { template, operation };
    }
    return undefined;
  }

  #verb(method: string): string {
    return method === "HEAD" ? "get" : method.toLowerCase();
  }

  /** Checks that a request to an undocumented operation is refused in the documented shape. */
  #assertError(where: string, answer: Documented, statuses: number[]): void {
    if (!statuses.includes(answer.status)) throw new Error(`${where}: neither documented nor refused`);
    if (where.startsWith("HEAD ")) return;
    this.#assertBody(where, answer, ["components", "schemas", "ErrorResponse"]);
  }

  /** Requires a header unless the document says otherwise, although OpenAPI's default is optional. */
  #assertHeaders(where: string, answer: Documented, documented: Record<string, Header>): void {
    for (const [name, header] of Object.entries(documented)) {
      const { required } = header.$ref ? this.#description.components!.headers![name]! : header;
      if (required !== false && !answer.headers.has(name)) throw new Error(`${where}: the header ${name} is missing`);
    }
  }

  #assertBody(where: string, answer: Documented, pointer: string[]): void {
    const type = answer.headers.get("content-type");
    if (!type?.startsWith("application/json")) throw new Error(`${where}: the content type is ${type}`);
    const path = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    let validate = this.#compiled.get(path);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `openapi#/${path}` });
      this.#compiled.set(path, validate);
    }
    if (!validate(answer.json)) {
      throw new Error(`${where}: ${this.#ajv.errorsText(validate.errors)} in ${answer.text}`);
    }
  }
}
