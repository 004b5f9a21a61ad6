import type { AuditAction, AuditDetail } from '@veridict/contract/model/audit-action'
import { storable, storableJson } from '@veridict/contract/notation/storable-text'
import { sql, type Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { Caller } from '#policies/caller.ts'

export type NewAuditEntry = Caller & { action: AuditAction; subject: string; detail: AuditDetail }

/** Adds an entry with the name that the company has now. */
export async function addAuditEntry(db: Kysely<Database>, entry: NewAuditEntry): Promise<void> {
  const { action, actor, companyId, subject, address, detail } = entry
  await db
    .insertInto('auditEntries')
    .values((row) => ({
      action,
      actorId: actor?.id ?? null,
      actorEmail: actor?.email ?? null,
      companyId,
      companyName:
        companyId === null
          ? null
          : row.selectFrom('companies').where('id', '=', companyId).select('companies.name').$asScalar(),
      subject: storable(subject),
      address,
      detail: sql`${storableJson(detail)}::jsonb`,
    }))
    .execute()
}
