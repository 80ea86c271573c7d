import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { version } from "../../../src/platform/version.ts";
import { makeDirectory } from "../directory.ts";

const run = promisify(execFile);

/** Directories by tarball. All files of a run share them. */
const installed = new Map<string | undefined, Promise<string>>();

/** Installs the package of a release, by default what `npm pack` makes of this one. Returns the directory. */
export function installRelease(tarball?: string): Promise<string> {
  const directory = installed.get(tarball) ?? install(tarball);
  installed.set(tarball, directory);
  return directory;
}

async function install(tarball: string | undefined): Promise<string> {
  const directory = await makeDirectory();
  if (tarball === undefined) await run("npm", ["pack", "--silent", "--pack-destination", directory]);
  const file = tarball === undefined ? `./merchant-api-${version}.tgz` : resolve(tarball);
  // npm may refuse to run install scripts, so none may be needed.
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, file], { cwd: directory });
  return directory;
}

const inPackage = (directory: string, path: string) => join(directory, "node_modules/merchant-api", path);

/** The main file of an installed release. */
export const programOf = (directory: string) => inPackage(directory, "dist/src/main.js");

/** Copies an installed release, and adds a migration. */
export async function addNextMigration(directory: string): Promise<string> {
  const copy = await makeDirectory();
  // Files are linked, because there are half a gigabyte of them.
  await run("cp", ["--archive", "--link", "--no-target-directory", directory, copy]);
  await writeFile(
    inPackage(copy, "dist/migrations/9999-next.js"),
    `import { Migration } from "@mikro-orm/migrations";
    export class Next extends Migration {
      up() {
        this.addSql("alter table products add column probe text not null default 'none'");
        this.addSql("alter table orders add constraint probe check (total_amount >= 0) not valid");
      }
    }`,
  );
  return copy;
}
