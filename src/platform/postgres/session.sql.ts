// Text, since advisory locks and databases are created on separate connections, without a query builder.

export const lockMigrate = "select pg_advisory_lock(hashtext('merchant-api migrate'))";
export const lockCluster = "select pg_try_advisory_lock(hashtext('merchant-api owner')) as held";
export const findDatabase = "select 1 from pg_database where datname = $1";
export const createDatabase = (quotedName: string) => `create database ${quotedName}`;
