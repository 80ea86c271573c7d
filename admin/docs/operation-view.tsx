import { useState } from "react";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Code } from "./code.tsx";
import styles from "./docs.module.css";
import type { ApiDocument, Parameter, Route } from "./document.ts";
import { Prose } from "./prose.tsx";
import { samples, type Language, type SampleRequest } from "./samples.ts";
import { Bounds, describeType, SchemaView } from "./schema-view.tsx";
import { TryIt } from "./try-it.tsx";
import { copy } from "./copy.ts";

const languages = (Object.keys(samples) as Language[]).map((each) => [each, each] as const);

/** The state that all operations share. */
export interface Shared {
  document: ApiDocument;
  shopId: string;
  apiKey: string;
  onKey: (apiKey: string) => void;
  language: Language;
  onLanguage: (language: Language) => void;
}

/** A route with its description, parameters, body, samples and responses. */
export function OperationView({ route, shared }: { route: Route; shared: Shared }) {
  const { method, path, operation } = route;
  const { document } = shared;
  const [given, setGiven] = useState<Record<string, string>>({});
  const [body, setBody] = useState(() => exampleBody(route));
  const [isTrying, setTrying] = useState(false);
  const values = { shopId: shared.shopId, ...given };
  const request = fill(route, values, body, document.servers[0]!.url);
  const input = operation.requestBody?.content["application/json"];
  const onValue = (name: string, value: string) => setGiven({ ...given, [name]: value });
  return (
    <section id={operation.operationId} className={styles.operation}>
      <h3>{operation.summary}</h3>
      <p className={styles.path}>
        <Badge tone={method === "GET" ? "good" : "warning"}>{method}</Badge> <code>{path}</code>
      </p>
      <Prose text={operation.description} />
      <Parameters route={route} document={document} values={isTrying ? values : undefined} onValue={onValue} />
      {input && (
        <>
          <h4>{copy.body}</h4>
          <SchemaView document={document} schema={input.schema} />
        </>
      )}
      {isTrying && input && (
        <textarea
          className={styles.body}
          aria-label={copy.bodyOf(operation.summary)}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
      )}
      <div className={styles.tools}>
        <Select
          label={copy.language(operation.summary)}
          value={shared.language}
          options={languages}
          onChange={(chosen) => shared.onLanguage(chosen ?? "curl")}
        />
        <Button aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
          {copy.tryIt.open}
        </Button>
      </div>
      <Code text={samples[shared.language](request)} label={copy.sample(operation.summary, shared.language)} />
      {isTrying && <TryIt request={request} apiKey={shared.apiKey} onKey={shared.onKey} />}
      <Responses route={route} document={document} />
    </section>
  );
}

interface ParametersProps {
  route: Route;
  document: ApiDocument;
  /** The entered values, while the route is being tried. */
  values: Record<string, string> | undefined;
  onValue: (name: string, value: string) => void;
}

function Parameters({ route: { operation }, document, values, onValue }: ParametersProps) {
  if (!operation.parameters) return null;
  const columns: Column<Parameter>[] = [
    { title: copy.parameters.name, cell: (each) => <ParameterName parameter={each} document={document} /> },
    { title: copy.parameters.description, cell: (each) => <Description parameter={each} /> },
  ];
  if (values) {
    const cell = ({ name }: Parameter) => (
      <input
        className={styles.value}
        aria-label={copy.parameters.valueOf(name, operation.summary)}
        value={values[name] ?? ""}
        onChange={(event) => onValue(name, event.currentTarget.value)}
      />
    );
    columns.push({ title: copy.parameters.value, cell });
  }
  const caption = copy.parameters.caption(operation.summary);
  return <Table caption={caption} rows={operation.parameters} keyOf={({ name }) => name} columns={columns} />;
}

function ParameterName({ parameter, document }: { parameter: Parameter; document: ApiDocument }) {
  return (
    <>
      <code>{parameter.name}</code>
      <span className={styles.soft}>
        {" "}
        {describeType(document, parameter.schema)} · {parameter.in}
        {parameter.required ? "" : ` · ${copy.parameters.optional}`}
      </span>
    </>
  );
}

function Description({ parameter: { description, schema } }: { parameter: Parameter }) {
  return (
    <>
      {description && <Prose text={description} />}
      <Bounds schema={schema} />
    </>
  );
}

function Responses({ route: { operation }, document }: { route: Route; document: ApiDocument }) {
  return (
    <>
      <h4>{copy.responses}</h4>
      <ul className={styles.answers}>
        {Object.entries(operation.responses).map(([status, { description, content }]) => {
          const answer = content?.["application/json"];
          const examples = answer?.examples
            ? Object.values(answer.examples).map(({ value }) => value)
            : [answer?.example];
          return (
            <li key={status}>
              <details>
                <summary>
                  <Badge tone={status < "400" ? "good" : "bad"}>{status}</Badge> {description}
                </summary>
                {answer && status < "400" && <SchemaView document={document} schema={answer.schema} />}
                {examples.map(
                  (example, index) =>
                    example !== undefined && (
                      <Code
                        key={index}
                        text={JSON.stringify(example, null, 2)}
                        label={copy.responseOf(status, operation.summary)}
                      />
                    ),
                )}
              </details>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function exampleBody({ operation }: Route): string {
  const input = operation.requestBody?.content["application/json"];
  const example = input?.example ?? Object.values(input?.examples ?? {})[0]?.value;
  return example === undefined ? "" : JSON.stringify(example, null, 2);
}

/** Fills in the values of a request. Path parameters without a value keep their placeholder. */
function fill(
  { method, path, operation }: Route,
  values: Record<string, string>,
  body: string,
  origin: string,
): SampleRequest {
  const parameters = operation.parameters ?? [];
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  );
  const query = new URLSearchParams(
    parameters
      .filter(({ name, in: place }) => place === "query" && values[name])
      .map(({ name }) => [name, values[name]!]),
  );
  const url = `${origin}${filled}${query.size > 0 ? `?${query}` : ""}`;
  return { method, url, body: operation.requestBody ? body : undefined };
}
