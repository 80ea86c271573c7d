/** SQL: `idOf` of names.ts, for one connection. */
export const functions = `
  create function pg_temp.id_of(prefix text, number bigint) returns text immutable
    return prefix || '_0' || lpad(to_hex(number), 9, '0') || left(md5(number::text), 16);
`;
