import { type QueryExecutorProvider, sql } from 'kysely'

type Statement = Parameters<typeof sql>

/** A tag for a statement, like Kysely's `sql`, that executes it and returns its rows. */
export const rowsOf =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Statement): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows

/** The same for a statement that always has a row: the first one. */
export const rowOf =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Statement): Promise<Row> =>
    (await rowsOf<Row>(db)(...statement))[0]!
