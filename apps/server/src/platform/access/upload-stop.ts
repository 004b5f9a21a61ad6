import { companyMessages } from '@veridict/contract/messages/companies'
import { sql, type RawBuilder } from 'kysely'
import { MAINTENANCE } from '#platform/database/marks.ts'
import type { Db } from '#platform/database/tables.ts'
import { AppError } from '#errors.ts'
import { rowOf } from '#platform/database/rows.ts'

/** Companies whose uploads are refused and whose files wait. The index `companies_paused` has them. */
export const pausedCompanies = sql`
  select id from companies where paused_at is not null and deleted_at is null`

/** The sentence that refuses uploads now, by maintenance mode or the company's pause (null: no company). */
export const uploadStopOf = (companyId: RawBuilder<number | null>): RawBuilder<string | null> => sql`coalesce(
  (select note from marks where name = ${MAINTENANCE}),
  (select ${companyMessages.uploadsPaused}::text where ${companyId} in (${pausedCompanies})))`

/** Since when uploads are stopped, in seconds: of all, and of the company that has waited longest; 0: not. */
export const findStopSeconds = (db: Db): Promise<{ maintenance: number; pause: number }> =>
  rowOf<{ maintenance: number; pause: number }>(db)`
    select coalesce(extract(epoch from now() - (
        select at from marks where name = ${MAINTENANCE} and note is not null)), 0)::float8 as maintenance,
      coalesce(extract(epoch from now() - (
        select min(paused_at) from companies where id in (${pausedCompanies}))), 0)::float8 as pause`

/** More than the minute for which programs wait by themselves, so that they say the sentence at once. */
const RETRY_SECONDS = 300

/** Throws 503 with the sentence, where there is one. */
export function refuseStopped(uploadStop: string | null | undefined): void {
  if (uploadStop) throw new AppError(503, uploadStop, { retryAfterSeconds: RETRY_SECONDS })
}

/** Throws 503 while the company may not upload. */
export async function refuseStoppedUploads(db: Db, companyId: number): Promise<void> {
  const stop = uploadStopOf(sql`${companyId}::integer`)
  refuseStopped((await rowOf<{ stop: string | null }>(db)`select ${stop} as stop`).stop)
}
