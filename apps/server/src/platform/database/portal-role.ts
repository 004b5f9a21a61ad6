import type pg from 'pg'
import type { Db } from '#platform/database/tables.ts'
import { connectionOptions } from '#platform/database/database.ts'
import { sqlState } from '#platform/database/transaction.ts'
import { withClient } from '#platform/database/with-client.ts'
import { rowOf } from '#platform/database/rows.ts'

type Log = { warn(details: object, message: string): void }

/** The condition for tables and sequences of the portal in `pg_class`: others may have theirs beside them. */
export const isOurs = `relnamespace = any (array[to_regnamespace('public'), to_regnamespace('veridict')])
  and relowner = (select relowner from pg_class where oid = to_regclass('kysely_migration'))`

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Returns the role of the portal's connections: it can add to the audit trail and not change it, and owns
 * nothing. null, with a warning that says what to do, if the URL's user may not create roles: then only
 * triggers and hashes protect the audit trail. Called after the migrations of every start, for rights on new
 * tables. If the schema `isAhead`, rights stay: this version does not know which the newer one keeps from it.
 */
export const preparePortalRole = (url: string, log: Log, { isAhead = false } = {}): Promise<string | null> =>
  withClient(connectionOptions(url), async (client) => {
    const role = await nameOfRole(client)
    try {
      if (!isAhead || !(await roleExists(client, role))) await grantRights(client, role)
      await refuseOtherUser(url, role)
      return role
    } catch (error) {
      if (sqlState(error) !== INSUFFICIENT_PRIVILEGE && !(error instanceof RoleError)) throw error
      log.warn(
        { err: error, role },
        'the portal works as the owner of its database, because it could not prepare its own role; ' +
          `let an administrator of the database run: CREATE ROLE ${role} NOLOGIN; GRANT ${role} TO <user>`,
      )
      return null
    }
  })

class RoleError extends Error {}

/** All databases of a server share its roles, so each has its own: by its number, because names change. */
async function nameOfRole(client: pg.Client): Promise<string> {
  const { rows } = await client.query('select oid from pg_database where datname = current_database()')
  return `veridict_app_${rows[0].oid}`
}

async function roleExists(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query('select to_regrole($1) is not null as exists', [role])
  return rows[0].exists
}

/** They run with the rights of the owner. Programs of 0.1 call the first two. */
const ownersFunctions =
  'audit_link, audit_remove_oldest, audit_link_next, audit_expire, search_submissions, find_submissions,' +
  ' newest_submissions'

const grantRights = (client: pg.Client, role: string): Promise<void> =>
  inOneTransaction(
    client,
    `
    do $$ begin
      if to_regrole('${role}') is null then
        create role ${role} nologin;
        execute format('grant ${role} to %I', current_user);
      end if;
    end $$;
    do $$ declare own record; begin
      grant usage on schema public to ${role};
      if to_regnamespace('veridict') is not null then grant usage on schema veridict to ${role}; end if;
      for own in select oid::regclass as name, relkind from pg_class where ${isOurs} loop
        if own.relkind = 'r' then
          execute format('grant select, insert, update, delete on %s to ${role}', own.name);
        elsif own.relkind = 'S' then
          execute format('grant usage on sequence %s to ${role}', own.name);
        end if;
      end loop;
    end $$;
    revoke all on secrets from ${role};
    revoke update, delete on receipt_keys from ${role};
    revoke insert, update, delete on kysely_migration from ${role};
    revoke insert, update, delete on audit_entries, audit_chain from ${role};
    grant insert (action, actor_id, actor_email, company_id, company_name, subject, address, detail)
      on audit_entries to ${role};
    revoke execute on function ${ownersFunctions} from public;
    grant execute on function ${ownersFunctions} to ${role};`,
  )

/** A running portal keeps its rights meanwhile. With a lock, as PostgreSQL refuses two GRANTs at once. */
async function inOneTransaction(client: pg.Client, statements: string): Promise<void> {
  const lock = `select pg_advisory_xact_lock(hashtext('veridict: role of the portal'))`
  try {
    await client.query(`begin; ${lock}; ${statements} commit`)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** A pooler in between may drop the option of the connection that sets the role. */
async function refuseOtherUser(url: string, role: string): Promise<void> {
  const { rows } = await withClient(connectionOptions(url, { role }), (client) =>
    client.query('select current_user as name'),
  )
  if (rows[0].name !== role) throw new RoleError('The connection did not take on the role.')
}

/** The role, and whether the user of `db` can take it on, may create it at a start, and change the schema. */
type OwnRole = { role: string; user: string; isUsable: boolean; mayCreate: boolean; mayMigrate: boolean }

export const findOwnRole = (db: Db): Promise<OwnRole> =>
  rowOf<OwnRole>(db)`
    select role, current_user as "user",
      coalesce(pg_has_role(to_regrole(role), 'member'), false) as "isUsable",
      has_schema_privilege('public', 'create') and coalesce((select pg_has_role(relowner, 'usage')
        from pg_class where oid = to_regclass('kysely_migration')), true) as "mayMigrate",
      (select (rolsuper or rolcreaterole) and to_regrole(role) is null
        from pg_roles where rolname = current_user) as "mayCreate"
    from (select 'veridict_app_' || oid as role from pg_database where datname = current_database()) as own`
