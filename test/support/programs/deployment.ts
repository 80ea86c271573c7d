import { randomBytes } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse, parseAllDocuments } from "yaml";

/** A process that a file in deploy/ starts. */
export interface DeployedProcess {
  file: string;
  command: string;
  environment: Record<string, string>;
}

interface Manifest {
  apiVersion: string;
  kind: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into manifests of every kind
  [part: string]: any;
}

/** Sample values of an operator. */
const filledIn: Record<string, string> = {
  BASE_URL: "https://api.example.com",
  DATABASE_URL: "postgres://merchant_api:secret@postgres:5432/merchant_api",
  ENCRYPTION_KEYS: `2026:${randomBytes(32).toString("base64")}`,
  SMTP_URL: "smtps://user:secret@mail.example.com",
  POSTGRES_PASSWORD: "secret",
  GRAFANA_PASSWORD: "secret",
};

export async function readCompose(file = "compose.yaml") {
  const text = await readFile(`deploy/${file}`, "utf8");
  const interpolated = text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g, (_all, name: string, preset?: string) => {
    return preset ?? filledIn[name] ?? `${name} has no value`;
  });
  return parse(interpolated, { merge: true });
}

export async function readManifests(): Promise<(Manifest & { file: string })[]> {
  const manifests: (Manifest & { file: string })[] = [];
  for await (const file of glob("deploy/kubernetes/*.yaml")) {
    const documents = parseAllDocuments(await readFile(file, "utf8"));
    manifests.push(...documents.map((document) => ({ ...(document.toJS() as Manifest), file })));
  }
  return manifests;
}

/** The directives of a unit, including those of the file shared by all units. */
async function readUnit(file: string): Promise<string[]> {
  const common = "deploy/systemd/merchant-api-.service.d/common.conf";
  const texts = await Promise.all([file, common].map((each) => readFile(each, "utf8")));
  return texts.flatMap((text) => text.replaceAll("%i", "4000").split("\n"));
}

/** All processes that the files in deploy/ start. */
export async function readProcesses(): Promise<DeployedProcess[]> {
  return [...(await processesOfCompose()), ...(await processesOfKubernetes()), ...(await processesOfSystemd())];
}

async function processesOfCompose(): Promise<DeployedProcess[]> {
  const { services } = await readCompose();
  const ours = Object.values<Manifest>(services).filter(({ image }) => image.startsWith("merchant-api:"));
  return ours.map(({ command, environment }) => {
    const settings = Object.entries(environment).map(([name, value]) => [name, String(value)]);
    return { file: "compose.yaml", command: command.at(-1), environment: Object.fromEntries(settings) };
  });
}

async function processesOfKubernetes(): Promise<DeployedProcess[]> {
  const manifests = await readManifests();
  const { data } = manifests.find(({ kind }) => kind === "ConfigMap")!;
  const { stringData } = manifests.find(({ kind }) => kind === "Secret")!;
  const secrets = Object.fromEntries(Object.keys(stringData).map((name) => [name, filledIn[name]!]));
  const pods = manifests.filter(({ spec }) => spec?.template);
  return pods.map(({ file, spec }) => {
    const [{ command }] = spec.template.spec.containers;
    return { file: basename(file), command: command.at(-1), environment: { ...data, ...secrets } };
  });
}

async function processesOfSystemd(): Promise<DeployedProcess[]> {
  const page = await readFile("docs/operations.md", "utf8");
  const [, example] = /```ini\n(.*?)```/s.exec(page)!;
  const processes: DeployedProcess[] = [];
  for await (const file of glob("deploy/systemd/*.service")) {
    const lines = await readUnit(file);
    const valuesOf = (key: string) =>
      lines.flatMap((line) => (line.startsWith(`${key}=`) ? line.slice(key.length + 1) : []));
    const settings = [...valuesOf("Environment").flatMap((value) => value.split(" ")), ...example!.trim().split("\n")];
    const environment = settings.map((setting) => /^(\w+)=(.*)$/.exec(setting)!.slice(1) as [string, string]);
    const command = valuesOf("ExecStart")[0]!.split(" ").at(-1)!;
    // The page contains no key.
    const { ENCRYPTION_KEYS } = filledIn;
    processes.push({
      file: basename(file),
      command,
      environment: { ...Object.fromEntries(environment), ENCRYPTION_KEYS: ENCRYPTION_KEYS! },
    });
  }
  return processes;
}
