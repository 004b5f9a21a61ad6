import { sql, type Kysely } from 'kysely'

/** What the portal generates for all of its servers: the API key and the secret that signs tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table secrets (name text primary key, value text not null)`.execute(db)
}
