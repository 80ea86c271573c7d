/** A complete request, for the samples and for "Send". */
export interface SampleRequest {
  method: string;
  url: string;
  /** Besides `Authorization` and `Content-Type`. */
  headers: Record<string, string>;
  /** Undefined for requests without a body. */
  body: string | undefined;
  needsKey: boolean;
}

const KEY = "MERCHANT_API_KEY";

/**
 * A request in three languages. The key comes from the environment, so that nobody commits it. Nothing has to be installed
 * besides the language.
 */
export const samples = { curl: toCurl, TypeScript: toTypeScript, Python: toPython } as const;

export type Language = keyof typeof samples;

function toCurl({ method, url, headers, body, needsKey }: SampleRequest): string {
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${url}"`,
    ...(needsKey ? [`-H "Authorization: Bearer $${KEY}"`] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteShell(body)}`]),
  ].join(" \\\n  ");
}

const quoteShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function toTypeScript({ method, url, body, ...request }: SampleRequest): string {
  const headers = describeHeaders({ ...request, body }, `\`Bearer \${process.env.${KEY}}\``);
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body === undefined ? [] : [`  body: ${isJson(body) ? `JSON.stringify(${indent(body, "  ")})` : quote(body)},`]),
  ];
  return [
    ...(options.length > 0
      ? [`const response = await fetch(${quote(url)}, {`, ...options, "});"]
      : [`const response = await fetch(${quote(url)});`]),
    "if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);",
    "console.log(await response.json());",
  ].join("\n");
}

function toPython({ method, url, body, ...request }: SampleRequest): string {
  const headers = describeHeaders({ ...request, body }, `f"Bearer {os.environ['${KEY}']}"`);
  const data = body !== undefined && (isJson(body) ? `json.dumps(${indent(toLiteral(body), "    ")})` : quote(body));
  return [
    "import json",
    ...(request.needsKey ? ["import os"] : []),
    "from urllib.request import Request, urlopen",
    "",
    "request = Request(",
    `    ${quote(url)},`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...(headers.length > 0 ? ["    headers={", ...headers.map((line) => `    ${line}`), "    },"] : []),
    ...(data ? [`    data=${data}.encode(),`] : []),
    ")",
    "with urlopen(request, timeout=30) as response:",
    "    print(json.load(response))",
  ].join("\n");
}

/** Lines that TypeScript and Python share. */
function describeHeaders(request: Pick<SampleRequest, "needsKey" | "body" | "headers">, key: string): string[] {
  return [
    ...(request.needsKey ? [`    "Authorization": ${key},`] : []),
    ...(request.body === undefined ? [] : ['    "Content-Type": "application/json",']),
    ...Object.entries(request.headers).map(([name, value]) => `    ${quote(name)}: ${quote(value)},`),
  ];
}

const quote = (text: string) => JSON.stringify(text);

const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Converts JSON to Python. It leaves strings unchanged, which may contain words such as true. */
const toLiteral = (json: string) =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (part) => {
    if (part.startsWith('"')) return part;
    return part === "null" ? "None" : part === "true" ? "True" : "False";
  });
