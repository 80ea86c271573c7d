/** The fields that the user changed. Sending only these keeps others' changes. */
export function changed<Fields extends Record<string, unknown>>(before: Fields, after: Fields): Partial<Fields> {
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Fields>;
}
