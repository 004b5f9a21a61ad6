import { sql, type Kysely } from 'kysely'

/** Finds the last waiting file of a person or token, from which the turn of the next one is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index submissions_waiting_of_person on submissions (company_id, user_id, token_id, turn)
      where status = 0`,
    )
    .execute(db)
}
