import { readdirSync } from "node:fs";
import type { NamedMigration } from "../src/platform/postgres/orm.ts";

// Compiled, they end in .js.
const files = readdirSync(import.meta.dirname).filter((file) => /^\d{4}-[\w-]+\.[jt]s$/.test(file));

/** Every migration in this folder, oldest first. One that has been released is never changed, only followed. */
export const migrations: NamedMigration[] = await Promise.all(
  files.toSorted().map(async (file) => {
    const [migration] = Object.values<NamedMigration["class"]>(await import(`./${file}`));
    return { name: file.slice(0, -".ts".length), class: migration! };
  }),
);
