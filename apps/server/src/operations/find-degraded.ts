import type { Deps } from '#deps.ts'
import { SECRET_LOCK } from '#platform/jobs/leases.ts'
import { rowOf } from '#platform/database/rows.ts'

/** What `/api/ready` and `veridict_protection` name. */
export const protections = ['rowLevelSecurity', 'auditRole', 'tokenSecret'] as const

/** The portal's role (`preparePortalRole`) is missing, or another process signs with an unknown secret. */
export async function findDegraded({
  db,
  tokens: { secretNumbers },
}: Pick<Deps, 'db' | 'tokens'>): Promise<(typeof protections)[number][]> {
  const states = await rowOf<Record<(typeof protections)[number], boolean>>(db)`
    select row_security_active('submissions') as "rowLevelSecurity",
      not has_table_privilege('audit_entries', 'truncate') as "auditRole",
      not exists (
        select from pg_locks where locktype = 'advisory' and classid = ${SECRET_LOCK}
          and objid::bigint <> all (${[...secretNumbers]}::bigint[])
          and database = (select oid from pg_database where datname = current_database())
      ) as "tokenSecret"`
  return protections.filter((part) => !states[part])
}
