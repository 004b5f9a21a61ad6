export type Mutation = (sql: string) => string

/**
 * Each mutation changes some statements so that an invariant breaks, to test that the simulation finds it
 * (mutation testing). It returns all other statements unchanged.
 */
export const mutations: Readonly<Record<string, Mutation>> = {
  /** A run moves a submission in any status. */
  noStatus: (sql) =>
    sql.replace(
      / and "status" = \$\d+ and "lease_id" = \$\d+ returning \*\), "recorded"/,
      ' returning *), "recorded"',
    ),
  /** E-mails to one person are not sent in their order. */
  noOrder: (sql) =>
    sql.replace(/ and not exists \(select "earlier"\."id" .*? is null\) order by/, ' order by'),
  /** The sweep treats every source as orphaned. */
  noSource: (sql) => sql.replace(/where "storageKey" = \$1 and/, 'where "storageKey" = $1 and false and'),
}
