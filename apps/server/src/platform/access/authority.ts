import { sql } from 'kysely'
import { runDeferred } from '#platform/database/prepared-statements.ts'
import type { Trx } from '#platform/database/tables.ts'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'

/** A setting that does not exist: reading it is the error that fails a transaction. */
const ENDED = 'veridict.authority_ended'
const UNDEFINED_OBJECT = '42704'

const failWithoutHeld = sql`
  select case when count(*) = 0 then current_setting('veridict.authority_ended') end from held`

/** Rows are locked when they were joined with it, and then as whoever ended the authority left them. */
const lockedFor = (kind: number, id: number) =>
  sql`locked as materialized (select pg_advisory_xact_lock_shared(${kind}, ${id}))`

/** Not the company, whose row all its clerks would lock: whoever deletes it ends its users and tokens. */
const ofSession = (viewer: Viewer) => sql`
  with ${lockedFor(PERSON_LOCK, viewer.userId)}, held as (
    select sessions.id from locked, sessions
    join users on users.id = sessions.user_id left join companies on companies.id = users.company_id
    where sessions.id = ${viewer.sessionId} and sessions.ended_at is null and sessions.expires_at > now()
      and users.id = ${viewer.userId} and users.role = ${viewer.role}
      and users.company_id is not distinct from ${viewer.companyId}
      and users.deleted_at is null and companies.deleted_at is null
    for share of sessions, users
  ) ${failWithoutHeld}`

const ofToken = (viewer: TokenViewer) => sql`
  with ${lockedFor(TOKEN_LOCK, viewer.tokenId)}, held as (
    select tokens.id from locked, company_tokens as tokens
    join companies on companies.id = tokens.company_id
    where tokens.id = ${viewer.tokenId} and tokens.company_id = ${viewer.companyId}
      and scope = ${viewer.scope} and revoked_at is null and expires_at > now()
      and companies.deleted_at is null
    for share of tokens
  ) ${failWithoutHeld}`

/** Whose authority: that of all sessions of a person, or of a token. */
type Holder = Pick<Viewer, 'userId'> | Pick<TokenViewer, 'tokenId'>

/** Classes of advisory locks, beside those of `jobs/leases.ts`; the second number is the id. */
const PERSON_LOCK = 1_447_384
const TOKEN_LOCK = 1_447_385

/**
 * Fails (`isAuthorityEnded`) unless session and role, or token and scope, are valid. Whoever ends one of them
 * then waits until `trx` ends.
 */
export const holdAuthority = (trx: Trx, viewer: Viewer | TokenViewer): Promise<void> =>
  runDeferred(trx, viewer.role === 'token' ? ofToken(viewer) : ofSession(viewer))

/**
 * Call it before a session or token ends, so that its later writes wait. Without it the end waits until no
 * write locks the row: under 32 writers, none had its turn in 8 s.
 */
export function stopWrites(trx: Trx, holder: Holder): Promise<void> {
  const [kind, id] = 'tokenId' in holder ? [TOKEN_LOCK, holder.tokenId] : [PERSON_LOCK, holder.userId]
  return runDeferred(trx, sql`select pg_advisory_xact_lock(${kind}, ${id})`)
}

export const isAuthorityEnded = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === UNDEFINED_OBJECT && String(message).includes(ENDED)
}
