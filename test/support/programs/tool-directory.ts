import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { before } from "mocha";
import { call } from "../client.ts";
import { makeDirectory } from "../directory.ts";
import type { TestServer } from "../server.ts";

interface ToolRun {
  code: number;
  output: string;
}

/** A project directory like a developer's, with the served document in `openapi.json`. */
export interface ToolDirectory {
  write: (name: string, text: string) => Promise<void>;
  read: (name: string) => Promise<string>;
  /** Runs a JavaScript file with Node, and returns its output and whether it succeeded. */
  run: (file: string, ...parameters: string[]) => Promise<ToolRun>;
  /** Compiles a file in strict mode with everything that it imports. */
  compile: (name: string) => Promise<ToolRun>;
  load: <Module>(name: string) => Promise<Module>;
}

/** A file next to a package's main file. */
export const beside = (resolved: string, path: string) => fileURLToPath(new URL(path, resolved));

const compiler = beside(import.meta.resolve("typescript/package.json"), "bin/tsc");
const strict = [
  "--strict",
  "--skipLibCheck",
  "--noUncheckedIndexedAccess",
  "--noEmit",
  "--target",
  "es2022",
  "--types",
  "",
];
const resolution = ["--module", "nodenext", "--allowImportingTsExtensions", "--lib", "es2022,dom,dom.iterable"];

async function runNode(directory: string, ...command: string[]): Promise<ToolRun> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd: directory, env });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** Compiles a file of the directory in strict mode with everything that it imports. */
export const compile = (directory: string, name: string) =>
  runNode(directory, compiler, ...strict, ...resolution, name);

/** Registers hooks that create the directory with these packages for the tests of this block. */
export function useToolDirectory(server: TestServer, packages: Record<string, string>): ToolDirectory {
  let directory: string;
  before(async () => {
    directory = await makeDirectory();
    for (const [name, path] of Object.entries(packages)) {
      const installed = join(directory, "node_modules", name);
      await mkdir(dirname(installed), { recursive: true });
      await symlink(path, installed, "junction");
    }
    await write("package.json", '{"type":"module"}');
    await write("openapi.json", (await call(server, "GET", "/openapi.json")).text);
  });
  function write(name: string, text: string): Promise<void> {
    return writeFile(join(directory, name), text);
  }

  return {
    write,
    read: (name) => readFile(join(directory, name), "utf8"),
    run: (...command) => runNode(directory, ...command),
    compile: (name) => compile(directory, name),
    load: async <Module>(name: string) => (await import(pathToFileURL(join(directory, name)).href)) as Module,
  };
}
