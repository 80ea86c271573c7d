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

const languages = (Object.keys(samples) as Language[]).map((each) => [each, each] as const);

/** The context that all operations on the page share. */
export interface Shared {
  document: ApiDocument;
  shopId: string;
  apiKey: string;
  onKey: (apiKey: string) => void;
  language: Language;
  onLanguage: (language: Language) => void;
}

/** A route: what it is for, what it takes, how to call it, and what it answers. */
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
          <h4>Body</h4>
          <SchemaView document={document} schema={input.schema} />
        </>
      )}
      {isTrying && input && (
        <textarea
          className={styles.body}
          aria-label={`Body of ${operation.summary}`}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
      )}
      <div className={styles.tools}>
        <Select
          label={`Language of ${operation.summary}`}
          value={shared.language}
          options={languages}
          onChange={(chosen) => shared.onLanguage(chosen ?? "curl")}
        />
        <Button aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
          Try it
        </Button>
      </div>
      <Code text={samples[shared.language](request)} label={`${operation.summary} in ${shared.language}`} />
      {isTrying && <TryIt request={request} apiKey={shared.apiKey} onKey={shared.onKey} />}
      <Responses route={route} document={document} />
    </section>
  );
}

interface ParametersProps {
  route: Route;
  document: ApiDocument;
  /** To be given, where the route is tried. */
  values: Record<string, string> | undefined;
  onValue: (name: string, value: string) => void;
}

function Parameters({ route: { operation }, document, values, onValue }: ParametersProps) {
  if (!operation.parameters) return null;
  const columns: Column<Parameter>[] = [
    { title: "Parameter", cell: (each) => <ParameterName parameter={each} document={document} /> },
    { title: "Meaning", cell: (each) => <Meaning parameter={each} /> },
  ];
  if (values) {
    const cell = ({ name }: Parameter) => (
      <input
        className={styles.value}
        aria-label={`${name} of ${operation.summary}`}
        value={values[name] ?? ""}
        onChange={(event) => onValue(name, event.currentTarget.value)}
      />
    );
    columns.push({ title: "Value", cell });
  }
  const caption = `Parameters of ${operation.summary}`;
  return <Table caption={caption} rows={operation.parameters} keyOf={({ name }) => name} columns={columns} />;
}

function ParameterName({ parameter, document }: { parameter: Parameter; document: ApiDocument }) {
  return (
    <>
      <code>{parameter.name}</code>
      <span className={styles.soft}>
        {" "}
        {describeType(document, parameter.schema)} · {parameter.in}
        {parameter.required ? "" : " · optional"}
      </span>
    </>
  );
}

function Meaning({ parameter: { description, schema } }: { parameter: Parameter }) {
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
      <h4>Answers</h4>
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
                        label={`${status} of ${operation.summary}`}
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

/** The request with these values. A parameter of the path without one keeps its name in braces. */
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
