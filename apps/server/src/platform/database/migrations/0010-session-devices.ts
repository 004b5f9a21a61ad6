import { sql, type Kysely } from 'kysely'

/** Where a session began, so that its owner recognizes it; '' in sessions from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      add column device text not null default '',
      add column address text not null default ''
  `.execute(db)
}
