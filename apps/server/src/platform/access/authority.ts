import { sql } from 'kysely'
import { compileOnce, runDeferred } from '#platform/database/prepared-statements.ts'
import type { Trx } from '#platform/database/tables.ts'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'

/** A setting that does not exist: reading it is the error that fails a transaction. */
const ENDED = 'veridict.authority_ended'
const UNDEFINED_OBJECT = '42704'

const failWithout = sql<null>`
  case when count(*) = 0 then current_setting('veridict.authority_ended') end
`.as('ended')

/** Not the company, whose row all its clerks would lock: whoever deletes it ends its users and tokens. */
const ofSession = compileOnce(
  (db, { sessionId, userId, role, companyId }: Pick<Viewer, 'sessionId' | 'userId' | 'role' | 'companyId'>) =>
    db
      .with('held', () =>
        db
          .selectFrom('sessions')
          .innerJoin('users', 'users.id', 'sessions.userId')
          .leftJoin('companies', 'companies.id', 'users.companyId')
          .where('sessions.id', '=', sessionId)
          .where('sessions.endedAt', 'is', null)
          .where('sessions.expiresAt', '>', sql<Date>`now()`)
          .where('users.id', '=', userId)
          .where('users.role', '=', role)
          .where('users.companyId', 'is not distinct from', companyId)
          .where('users.deletedAt', 'is', null)
          .where('companies.deletedAt', 'is', null)
          .select('sessions.id')
          .forShare(['sessions', 'users']),
      )
      .selectFrom('held')
      .select(failWithout),
)

const ofToken = compileOnce(
  (db, { tokenId, companyId, scope }: Pick<TokenViewer, 'tokenId' | 'companyId' | 'scope'>) =>
    db
      .with('held', () =>
        db
          .selectFrom('companyTokens')
          .innerJoin('companies', 'companies.id', 'companyTokens.companyId')
          .where('companyTokens.id', '=', tokenId)
          .where('companyTokens.companyId', '=', companyId)
          .where('scope', '=', scope)
          .where('revokedAt', 'is', null)
          .where('expiresAt', '>', sql<Date>`now()`)
          .where('companies.deletedAt', 'is', null)
          .select('companyTokens.id')
          .forShare('companyTokens'),
      )
      .selectFrom('held')
      .select(failWithout),
)

/** Whose authority: that of all sessions of a person, or of a token. */
type Holder = Pick<Viewer, 'userId'> | Pick<TokenViewer, 'tokenId'>

/** Classes of advisory locks; the second number is the id. */
const PERSON_LOCK = 1_447_384
const TOKEN_LOCK = 1_447_385

const lockOf = (holder: Holder) =>
  'tokenId' in holder ? sql`${TOKEN_LOCK}, ${holder.tokenId}` : sql`${PERSON_LOCK}, ${holder.userId}`

/**
 * Fails the transaction (`isAuthorityEnded`) unless session, user and role, or token and scope, are still
 * valid. Until it ends, none of them can end: whoever ends one waits, or has committed before. Waited for
 * with the next statement.
 */
export async function holdAuthority(trx: Trx, viewer: Viewer | TokenViewer): Promise<void> {
  await runDeferred(trx, sql`select pg_advisory_xact_lock_shared(${lockOf(viewer)})`)
  await runDeferred(trx, viewer.role === 'token' ? ofToken(viewer) : ofSession(viewer))
}

/**
 * Call before a session or token ends: later writes of it wait until then. Without this an update of its row
 * waits until no write locks it: under 32 writers at a time none came to its turn in 8 s.
 */
export const stopWrites = (trx: Trx, holder: Holder): Promise<void> =>
  runDeferred(trx, sql`select pg_advisory_xact_lock(${lockOf(holder)})`)

export const isAuthorityEnded = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === UNDEFINED_OBJECT && String(message).includes(ENDED)
}
