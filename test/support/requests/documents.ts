import fc, { type GeneratorValue } from "fast-check";
import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import { anyText } from "../properties/arbitraries.ts";

export interface AnyRequest {
  query: string;
  variables: Record<string, unknown>;
}

/** Literals that hardly any argument accepts. */
const oddLiterals = [
  ..."null true {} [] [[1]] [null] -0 -1 1.5 1e3 1e400 2147483647 2147483648 SOMETHING $nothing".split(" "),
  "9".repeat(400),
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u{1f375}"',
  '"\u{1f375}"',
  '"\u202e"',
  '"""\nblock\n"""',
  '"__proto__"',
  "{ __proto__: 1 }",
  "{ a: { b: [1] } }",
];
/** The same for variables, as JSON. */
const oddJson = [
  ..."null true {} [] [[1]] [null] 0 -1 1.5 1e3 1e308 2147483647 2147483648 9007199254740993".split(" "),
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\u{1f375}"',
  '"null"',
  '{"a":{"b":[1]}}',
  '{"__proto__":{"id":1}}',
  '{"constructor":null}',
  '{"length":1}',
];
const oddDirectives = [
  "@skip(if: true)",
  "@include(if: false)",
  "@skip",
  '@include(if: "x")',
  "@nothing",
  "@deprecated",
];

/**
 * Generates documents from the schema. Most parts are valid, so that invalid parts get far.
 *
 * @param ids values for arguments that take an id
 */
export class DocumentWriter {
  readonly #schema: GraphQLSchema;
  readonly #ids: readonly string[];
  readonly #g: GeneratorValue;
  readonly #declared: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  readonly #fragments: string[] = [];

  constructor(schema: GraphQLSchema, ids: readonly string[], g: GeneratorValue) {
    this.#schema = schema;
    this.#ids = ids;
    this.#g = g;
  }

  write(): AnyRequest {
    const isMutation = this.#chance(35);
    const root = isMutation ? this.#schema.getMutationType()! : this.#schema.getQueryType()!;
    const body = this.#selections(root, this.#chance(5) ? 16 : this.#number(1, 7));
    const declared = this.#declared.length > 0 ? `(${this.#declared.join(", ")})` : "";
    const query = `${isMutation ? "mutation" : "query"} Any${declared}${this.#directive()} ${body} ${this.#fragments.join(" ")}`;
    return { query: this.#chance(2) ? this.#cut(query) : query, variables: this.#variables };
  }

  #selections(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields());
    const count = depth > 8 ? 1 : this.#number(1, 4);
    const chosen = Array.from({ length: count }, () => this.#field(type, this.#pick(fields), depth));
    if (this.#chance(2))
      chosen.push(this.#pick(["nothing", "__proto__", "__typename", "__schema { types { name } }", "..."]));
    const selections = `{ ${chosen.join(" ")} }`;
    if (this.#chance(3))
      return `{ ... on ${this.#chance(80) ? type.name : "Query"}${this.#directive()} ${selections} }`;
    if (!this.#chance(4)) return selections;
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type.name} ${selections}`);
    return `{ ...${name} ${this.#chance(20) ? `...${name}` : ""} }`;
  }

  #field(parent: GraphQLObjectType, field: ReturnType<GraphQLObjectType["getFields"]>[string], depth: number): string {
    const type: GraphQLNamedType = getNamedType(field.type);
    const isDeep = isCompositeType(type);
    // At the maximum depth only scalars are selected, if there are any.
    if (isDeep && depth <= 1 && parent !== this.#schema.getQueryType()) return "__typename";
    const args = field.args.flatMap((arg) => this.#argument(arg));
    if (this.#chance(1)) args.push("nothing: 1");
    const alias = this.#chance(10) ? `a${this.#number(0, 99)}: ` : "";
    const below = isObjectType(type) && !this.#chance(1) ? ` ${this.#selections(type, depth - 1)}` : "";
    const stray = !isDeep && this.#chance(1) ? " { id }" : "";
    return `${alias}${field.name}${args.length > 0 ? `(${args.join(", ")})` : ""}${this.#directive()}${below}${stray}`;
  }

  #argument({ name, type, defaultValue }: GraphQLArgument): string[] {
    const isNeeded = isNonNullType(type) && defaultValue === undefined;
    if (!this.#chance(isNeeded ? 98 : 30)) return [];
    if (!this.#chance(30)) return [`${name}: ${this.#literal(type)}`];
    const variable = `v${this.#declared.length}`;
    this.#declared.push(
      `$${variable}: ${this.#chance(92) ? String(type) : this.#pick(["String", "[Int]", "ID", "Query", "Nothing!"])}`,
    );
    if (this.#chance(95)) this.#variables[variable] = this.#json(type);
    return [`${name}: $${variable}`];
  }

  /** A value as a literal in a document. */
  #literal(type: GraphQLInputType): string {
    if (this.#chance(3)) return this.#pick(oddLiterals);
    if (isNonNullType(type)) return this.#literal(type.ofType);
    if (isListType(type)) return `[${this.#times(() => this.#literal(type.ofType)).join(", ")}]`;
    if (isInputObjectType(type)) {
      const fields = this.#members(type).map(([name, inner]) => `${name}: ${inner ? this.#literal(inner) : "1"}`);
      return `{ ${fields.join(", ")} }`;
    }
    if (isEnumType(type)) return this.#pick(type.getValues()).name;
    return JSON.stringify(this.#scalar(type.name));
  }

  /** A value in the variables. */
  #json(type: GraphQLInputType): unknown {
    if (this.#chance(4)) return JSON.parse(this.#pick(oddJson));
    if (isNonNullType(type)) return this.#json(type.ofType);
    if (isListType(type)) return this.#times(() => this.#json(type.ofType));
    if (isInputObjectType(type)) {
      return Object.fromEntries(this.#members(type).map(([name, inner]) => [name, inner ? this.#json(inner) : 1]));
    }
    return isEnumType(type) ? this.#pick(type.getValues()).name : this.#scalar(type.name);
  }

  #members(
    type: Extract<GraphQLInputType, { getFields: unknown }>,
  ): [name: string, type: GraphQLInputType | undefined][] {
    const members = Object.values(type.getFields())
      .filter((field) => this.#chance(isNonNullType(field.type) && field.defaultValue === undefined ? 98 : 50))
      .map((field): [string, GraphQLInputType | undefined] => [field.name, field.type]);
    return this.#chance(2) ? [...members, ["nothing", undefined]] : members;
  }

  #scalar(name: string): unknown {
    if (name === "Int") return this.#pick([0, 1, 2, 10, 250, 251, -1, 2_147_483_647, this.#number(-9, 999)]);
    if (name === "Boolean") return this.#chance(50);
    if (name === "Float") return 1.5;
    if (name === "ID" && this.#chance(85)) return this.#pick(this.#ids);
    if (name === "Decimal" && this.#chance(90)) return this.#pick(["0", "1", "14.50", "-1", "0.001", "9".repeat(30)]);
    if (name === "Timestamp" && this.#chance(90)) {
      return this.#pick([
        "2026-01-31T09:30:00.000Z",
        "0000-01-01T00:00Z",
        "9999-12-31T23:59:59+14:00",
        "2026-13-01T00:00Z",
      ]);
    }
    return this.#g(() => anyText);
  }

  #directive(): string {
    return this.#chance(1) ? ` ${this.#pick(oddDirectives)}` : "";
  }

  #cut(text: string): string {
    return text.slice(0, this.#number(0, text.length));
  }

  #times<T>(make: () => T): T[] {
    return Array.from({ length: this.#number(0, 3) }, make);
  }

  #chance(percent: number): boolean {
    return this.#number(0, 99) < percent;
  }

  #number(min: number, max: number): number {
    return this.#g(fc.integer, { min, max });
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#number(0, values.length - 1)]!;
  }
}
