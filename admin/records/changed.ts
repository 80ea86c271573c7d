/** The fields that differ, so that what others changed in the meantime stays. */
export function changed<Fields extends Record<string, unknown>>(before: Fields, after: Fields): Partial<Fields> {
  const isOther = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(after).filter(isOther)) as Partial<Fields>;
}
