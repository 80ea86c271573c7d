import { dirname, join, relative, sep } from "node:path";

/** What this uses of ESLint's types, which are not installed. */
interface Context {
  cwd: string;
  filename: string;
  options: [FloorsByFolder];
  report: (problem: { node: Importing; message: string }) => void;
}
interface Importing {
  source: { value?: unknown } | null;
}

/** The floors of folders, from the bottom: `"one, other < third.ts < *"`. Names that are not listed are at the `*`. */
type FloorsByFolder = Readonly<Record<string, string>>;

/** Refuses an import of a floor above, and of a folder on the same floor. */
const floors = {
  meta: { schema: [{ type: "object" }] },
  create({ cwd, filename, options: [floorsByFolder], report }: Context) {
    const check = (node: Importing) => {
      const specifier = node.source?.value;
      if (typeof specifier !== "string" || !specifier.startsWith(".")) return;
      const [importing, imported] = [filename, join(dirname(filename), specifier)].map((path) => relative(cwd, path));
      const message = problemOf(floorsByFolder, importing!.split(sep), imported!.split(sep));
      if (message !== undefined) report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

function problemOf(floorsByFolder: FloorsByFolder, from: readonly string[], to: readonly string[]): string | undefined {
  const depth = from.findIndex((name, index) => name !== to[index]);
  const folder = from.slice(0, depth).join("/") || ".";
  const [importing, imported] = [from[depth]!, to[depth]!];
  const areFiles = from.length === depth + 1 && to.length === depth + 1;
  const declared = floorsByFolder[folder];
  if (declared === undefined) return areFiles ? undefined : `Declare the floors of ${folder} in oxlint.config.ts`;
  const levels = declared.split(" < ").map((floor) => floor.split(", "));
  const levelOf = (name: string) => {
    const named = levels.findIndex((names) => names.includes(name));
    return named === -1 ? levels.findIndex((names) => names.includes("*")) : named;
  };
  const [own, other] = [levelOf(importing), levelOf(imported)];
  if (own === -1 || other === -1) return `Declare the floor of ${own === -1 ? importing : imported} in ${folder}`;
  if (other < own || (other === own && areFiles)) return undefined;
  return `${importing} must not import ${imported}. Floors of ${folder}: ${declared}`;
}

export default { meta: { name: "house" }, rules: { floors } };
