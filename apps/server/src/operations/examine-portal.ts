import type { Env } from '#env.ts'
import { rowOf } from '#platform/database/rows.ts'
import type { Db } from '#platform/database/tables.ts'
import { checkSmtp } from '#platform/mail/smtp.ts'
import { findOwnRole } from '#platform/database/portal-role.ts'
import { findKnownStorage } from '#platform/storage/identify-storage.ts'
import { isAlmostFull } from '#platform/storage/storage-refusal.ts'
import { refuseLockout } from '#users/password-login.ts'
import { countAdministrators } from '#users/users.ts'

export type Examined = { name: string; state: 'ok' | 'warning' | 'fault'; message: string; advice: string }
/** A check that throws is a fault. */
type Finding = { state: Examined['state']; message: string }
type Given = { env: Env; db: Db }

const ok = (message: string): Finding => ({ state: 'ok', message })
const warning = (message: string): Finding => ({ state: 'warning', message })
const fault = (message: string): Finding => ({ state: 'fault', message })

const OLDEST_POSTGRES = 150_000
/** Sessions and links of several machines still fit together; single sign-on allows for a minute. */
const MAX_CLOCK_SECONDS = 60
const GIB = 1024 ** 3
const DAY = 24 * 60 * 60 * 1000
/** As in deploy/prometheus/alerts.yaml. */
const CERTIFICATE_DAYS = 14

/** What a portal needs around it: a look at each, and what to do if it is not as it should be. */
const checks: Readonly<Record<string, { look(given: Given): Promise<Finding>; advice: string }>> = {
  database: {
    async look({ db }) {
      const { number, version } = await rowOf<{ number: number; version: string }>(db)`
        select current_setting('server_version_num')::integer as number,
          current_setting('server_version') as version`
      return number < OLDEST_POSTGRES
        ? fault(`PostgreSQL ${version} is older than 15.`)
        : ok(`PostgreSQL ${version} responds.`)
    },
    advice: 'Start PostgreSQL 15 or later, and set DATABASE_URL to its address, user and password.',
  },
  rights: {
    async look({ db }) {
      const { role, user, isUsable, mayCreate, mayMigrate } = await findOwnRole(db)
      if (!mayMigrate) return fault(`The user ${user} does not own the database and its tables.`)
      if (isUsable) return ok(`The portal works as the role ${role}, which owns nothing.`)
      return mayCreate
        ? warning(`The role ${role} is not there yet.`)
        : fault('The portal works as the owner of its database: only the program separates companies.')
    },
    advice:
      'Restart the portal. Before, an administrator of the database gives its user what it lacks: ALTER ' +
      'DATABASE \u2026 OWNER TO \u2026, and CREATEROLE, or the statements that the log of the start has.',
  },
  people: {
    async look({ env, db }) {
      const { isNew } = await rowOf<{ isNew: boolean }>(db)`select to_regclass('users') is null as "isNew"`
      if (!isNew && (await countAdministrators(db)) > 0) {
        await refuseLockout({ env, db })
        return ok('There is an administrator.')
      }
      return env.isDemo || (env.adminEmail !== null && env.adminPassword !== null)
        ? ok('The start creates the first administrator.')
        : fault('There is no administrator yet: the portal does not start.')
    },
    advice: 'Set ADMIN_EMAIL and ADMIN_PASSWORD: the start creates the first administrator.',
  },
  tables: {
    async look({ db }) {
      const { others } = await rowOf<{ others: string[] }>(db)`
        select coalesce(array_agg(relname::text order by relname), '{}') as others from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
          and relowner <> (select relowner from pg_class where oid = to_regclass('kysely_migration'))
          and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`
      return others.length === 0
        ? ok('All tables in the schema are the portal\u2019s.')
        : warning(`Tables of others are in the schema public: ${others.join(', ')}.`)
    },
    advice: 'They do no harm, and no backup of the portal has them. Give the portal a database of its own.',
  },
  storage: {
    async look({ env, db }) {
      const storage = await findKnownStorage(env, { db })
      await storage.check()
      const space = await storage.space()
      if (space === null) return ok('The storage is the one of the database, and can be written.')
      const free = `${(space.free / GIB).toFixed(1)} GiB`
      return isAlmostFull(space, env.minFreeSpaceMegabytes)
        ? warning(`The storage is almost full: ${free} are free.`)
        : ok(`The storage is the one of the database, and can be written; ${free} are free.`)
    },
    advice: 'Set STORAGE_URL to the storage that the portal had, with rights to write there, and free space.',
  },
  mail: {
    async look({ env: { smtpUrl } }) {
      if (smtpUrl === null) return warning('SMTP_URL is not set: no e-mail reaches anybody.')
      const end = await checkSmtp(smtpUrl)
      const days = end === null ? Infinity : (end.getTime() - Date.now()) / DAY
      return days < CERTIFICATE_DAYS
        ? warning(`The certificate of the mail server ends in ${Math.floor(days)} days.`)
        : ok('The mail server responds, and accepts what SMTP_URL has.')
    },
    advice:
      'Set SMTP_URL to a mail server that this machine reaches, with user and password if it wants them. ' +
      'Let its certificate be renewed.',
  },
  clock: {
    async look({ db }) {
      const { now } = await rowOf<{ now: number }>(db)`
        select extract(epoch from clock_timestamp())::float8 as now`
      const seconds = Math.round(Math.abs(now - Date.now() / 1000))
      return seconds > MAX_CLOCK_SECONDS
        ? fault(`The clocks of this machine and the database differ by ${seconds} s.`)
        : ok('The clocks of this machine and the database agree.')
    },
    advice: 'Let both machines set their clocks by NTP.',
  },
  proxy: {
    async look({ env: { publicUrl, publicHost, trustProxy, isDemo } }) {
      if (isDemo) return ok('A demo needs no proxy.')
      if (publicHost === null) return warning('PUBLIC_URL is not set: links in e-mails lead to localhost.')
      if (!publicUrl.startsWith('https:')) return warning('PUBLIC_URL has no https: passwords can be read.')
      return trustProxy === null
        ? warning('TRUST_PROXY is not set: all people seem to have the address of the proxy, and its limits.')
        : ok('PUBLIC_URL and TRUST_PROXY are set.')
    },
    advice: 'Put a proxy with TLS in front, its address in TRUST_PROXY, and https://\u2026 in PUBLIC_URL.',
  },
  secrets: {
    async look({ env: { tokenSecret, tokenSecretPrevious } }) {
      if (tokenSecretPrevious !== null)
        return warning('TOKEN_SECRET_PREVIOUS is set: what either secret signed is valid.')
      return ok(`TOKEN_SECRET is ${tokenSecret === null ? 'kept in the database' : 'a setting'}.`)
    },
    advice:
      'Once all servers have the new TOKEN_SECRET for REFRESH_TOKEN_DAYS, remove TOKEN_SECRET_PREVIOUS.',
  },
}

/** Makes every check; `advice` is empty where all is well. */
export const examinePortal = (given: Given): Promise<Examined[]> =>
  Promise.all(
    Object.entries(checks).map(async ([name, { look, advice }]) => {
      const found = await look(given).catch((error: Error) => fault(error.message))
      return { name, ...found, advice: found.state === 'ok' ? '' : advice }
    }),
  )
