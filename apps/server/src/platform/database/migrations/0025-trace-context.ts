import { sql, type Kysely } from 'kysely'

/**
 * The span that caused a submission, an e-mail or a webhook, as a W3C `traceparent`, so that the processes
 * that go on with it join its trace. null without tracing, and in rows of earlier versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['submissions', 'mails', 'webhook_deliveries'])
    await sql`alter table ${sql.table(table)} add column traceparent text`.execute(db)
}
