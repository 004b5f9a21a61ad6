export type Mutation = (sql: string) => string

/**
 * Changes of statements that each break an invariant, to test that the simulation finds it (mutation
 * testing). Each changes the statements that it concerns and returns the others as they are.
 */
export const mutations: Readonly<Record<string, Mutation>> = {
  /** A run that lost its lease moves its submission all the same. */
  noLease: (sql) =>
    sql.replace(/ and "leaseId" = \$\d+ returning \*\), "recorded"/, ' returning *), "recorded"'),
  /** A file is moved by every run, whatever its status is. */
  noStatus: (sql) =>
    sql.replace(
      / and "status" = \$\d+ and "leaseId" = \$\d+ returning \*\), "recorded"/,
      ' returning *), "recorded"',
    ),
  /** E-mails of one person overtake each other. */
  noOrder: (sql) =>
    sql.replace(/ and not exists \(select "earlier"\."id" .*? is null\) order by/, ' order by'),
  /** The sweep takes every source for orphaned. */
  noSource: (sql) => sql.replace(/where "storageKey" = \$1 and/, 'where "storageKey" = $1 and false and'),
  /** Reports of an earlier run stay. */
  noDelete: (sql) => sql.replace(/^(with "rows" as \(delete from "rowReports" where) /, '$1 false and '),
}
