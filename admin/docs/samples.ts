/** A complete request, for the samples and for "Send". */
export interface SampleRequest {
  method: string;
  url: string;
  /** Undefined for requests without a body. */
  body: string | undefined;
}

const KEY = "MERCHANT_API_KEY";

/** A request in three languages. The key comes from the environment, so that nobody commits it. */
export const samples = { curl: toCurl, TypeScript: toTypeScript, Python: toPython } as const;

export type Language = keyof typeof samples;

function toCurl({ method, url, body }: SampleRequest): string {
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}"${url}"`, `-H "Authorization: Bearer $${KEY}"`];
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', '-H "Idempotency-Key: $(uuidgen)"', `-d '${escapeShell(body)}'`);
  }
  return lines.join(" \\\n  ");
}

const escapeShell = (text: string) => text.replaceAll("'", String.raw`'\''`);

function toTypeScript({ method, url, body }: SampleRequest): string {
  const headers = ["    Authorization: `Bearer ${process.env." + KEY + "}`,"];
  if (body !== undefined) {
    headers.push('    "Content-Type": "application/json",', '    "Idempotency-Key": crypto.randomUUID(),');
  }
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    "  headers: {",
    ...headers,
    "  },",
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(body, "  ")}),`]),
    "});",
    "if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);",
    "const answer = await response.json();",
  ].join("\n");
}

function toPython({ method, url, body }: SampleRequest): string {
  const headers = [`    "Authorization": f"Bearer {os.environ['${KEY}']}",`];
  if (body !== undefined) headers.push('    "Idempotency-Key": str(uuid.uuid4()),');
  return [
    `import os${body === undefined ? "" : "\nimport uuid"}`,
    "",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    "    headers={",
    ...headers.map((line) => `    ${line}`),
    "    },",
    ...(body === undefined ? [] : [`    json=${indent(toLiteral(body), "    ")},`]),
    "    timeout=30,",
    ")",
    "response.raise_for_status()",
    "answer = response.json()",
  ].join("\n");
}

const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

/** Converts JSON to Python. It leaves strings unchanged, which may contain words such as true. */
const toLiteral = (json: string) =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (part) => {
    if (part.startsWith('"')) return part;
    return part === "null" ? "None" : part === "true" ? "True" : "False";
  });
