import { sql } from 'kysely'
import { compileOnce, runDeferred } from '#platform/database/prepared-statements.ts'
import type { Trx } from '#platform/database/tables.ts'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'

/** A setting that does not exist: reading it is the error that fails a transaction. */
const ENDED = 'veridict.authority_ended'
const UNDEFINED_OBJECT = '42704'

const failWithoutHeld = sql`
  select case when count(*) = 0 then current_setting('veridict.authority_ended') end from held`

/** Not the company, whose row all its clerks would lock: whoever deletes it ends its users and tokens. */
const ofSession = compileOnce(
  (_db, viewer: Pick<Viewer, 'sessionId' | 'userId' | 'role' | 'companyId'>) => sql`
    with held as (
      select sessions.id from sessions
      join users on users.id = sessions.user_id left join companies on companies.id = users.company_id
      where sessions.id = ${viewer.sessionId} and sessions.ended_at is null and sessions.expires_at > now()
        and users.id = ${viewer.userId} and users.role = ${viewer.role}
        and users.company_id is not distinct from ${viewer.companyId}
        and users.deleted_at is null and companies.deleted_at is null
      for share of sessions, users
    ) ${failWithoutHeld}`,
)

const ofToken = compileOnce(
  (_db, viewer: Pick<TokenViewer, 'tokenId' | 'companyId' | 'scope'>) => sql`
    with held as (
      select tokens.id from company_tokens as tokens join companies on companies.id = tokens.company_id
      where tokens.id = ${viewer.tokenId} and tokens.company_id = ${viewer.companyId}
        and scope = ${viewer.scope} and revoked_at is null and expires_at > now()
        and companies.deleted_at is null
      for share of tokens
    ) ${failWithoutHeld}`,
)

/** Whose authority: that of all sessions of a person, or of a token. */
type Holder = Pick<Viewer, 'userId'> | Pick<TokenViewer, 'tokenId'>

/** Classes of advisory locks; the second number is the id. */
const PERSON_LOCK = 1_447_384
const TOKEN_LOCK = 1_447_385

const lockOf = (holder: Holder) =>
  'tokenId' in holder ? sql`${TOKEN_LOCK}, ${holder.tokenId}` : sql`${PERSON_LOCK}, ${holder.userId}`

/**
 * Fails (`isAuthorityEnded`) unless session and role, or token and scope, are valid. Whoever ends one of them
 * then waits until `trx` ends.
 */
export async function holdAuthority(trx: Trx, viewer: Viewer | TokenViewer): Promise<void> {
  await runDeferred(trx, sql`select pg_advisory_xact_lock_shared(${lockOf(viewer)})`)
  await runDeferred(trx, viewer.role === 'token' ? ofToken(viewer) : ofSession(viewer))
}

/**
 * Call it before a session or token ends, so that its later writes wait. Without it the end waits until no
 * write locks the row: under 32 writers, none had its turn in 8 s.
 */
export const stopWrites = (trx: Trx, holder: Holder): Promise<void> =>
  runDeferred(trx, sql`select pg_advisory_xact_lock(${lockOf(holder)})`)

export const isAuthorityEnded = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === UNDEFINED_OBJECT && String(message).includes(ENDED)
}
