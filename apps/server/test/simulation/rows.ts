/** A row as the services get it: names in camelCase, bigint as number, timestamps as Date. */
export type Row = Record<string, unknown>

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const camelCased = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
