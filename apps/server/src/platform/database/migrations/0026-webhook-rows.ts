import { sql, type Kysely } from 'kysely'

/**
 * Puts the webhooks of companies, and the messages for them, behind the second wall, as 0014-company-rows
 * does with submissions. Tokens of companies wait for the next version: the versions before this one look up
 * a token on a connection that may still see another company.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Locked in the order in which most transactions use them.
  for (const table of ['webhook_deliveries', 'webhooks']) {
    await sql.raw(`alter table ${table} enable row level security`).execute(db)
    await sql.raw(`create policy own_company on ${table} using (${sees}) with check (${sees})`).execute(db)
  }
}

const sees = `(select current_setting('veridict.company', true) = 'all')
  or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)`
