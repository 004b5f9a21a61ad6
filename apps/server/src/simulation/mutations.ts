export type Mutation = (sql: string) => string

/**
 * Changes of statements that each break an invariant, to test that the simulation finds it (mutation
 * testing). Each changes the statements that it concerns and returns the others as they are.
 */
export const mutations: Readonly<Record<string, Mutation>> = {
  /** A file is moved by every run, whatever its status is. */
  noStatus: (sql) =>
    sql.replace(
      / and "status" = \$\d+ and "lease_id" = \$\d+ returning \*\), "recorded"/,
      ' returning *), "recorded"',
    ),
  /** E-mails to one person are not sent in their order. */
  noOrder: (sql) =>
    sql.replace(/ and not exists \(select "earlier"\."id" .*? is null\) order by/, ' order by'),
  /** The sweep takes every source for orphaned. */
  noSource: (sql) => sql.replace(/where "storageKey" = \$1 and/, 'where "storageKey" = $1 and false and'),
}
