import { distribute as distributeTables, keepDistributed, type DistributeOptions } from "./core/cluster/distribute.ts";
import { changeSchema, migrate as applyMigrations, type SchemaOptions } from "./platform/postgres/migrate.ts";

/** Applies the migrations. On a cluster with distributed tables, new tables are distributed too. */
export function migrate(database: SchemaOptions): Promise<void> {
  return applyMigrations({ ...database, afterEach: keepDistributed });
}

/** Distributes the tables over the nodes of a cluster. Returns the statements. */
export function distribute(database: SchemaOptions, options: DistributeOptions): Promise<string[]> {
  return changeSchema(database, ({ em }) => distributeTables(em.fork(), options));
}
