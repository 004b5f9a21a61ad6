import { type QueryExecutorProvider, sql } from 'kysely'

type Statement = Parameters<typeof sql>

/** The rows of the statement that follows it, as with Kysely's `sql`. */
export const rowsOf =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Statement): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows

/** The first row, of a statement that always has one. */
export const rowOf =
  <Row>(db: QueryExecutorProvider) =>
  async (...statement: Statement): Promise<Row> =>
    (await rowsOf<Row>(db)(...statement))[0]!
