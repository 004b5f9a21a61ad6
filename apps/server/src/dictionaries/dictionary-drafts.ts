import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import type { DictionaryChange } from '@veridict/contract/model/dictionary-change'
import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import type { Trx } from '#platform/database/tables.ts'
import { lockDictionary } from '#dictionaries/dictionaries.ts'
import { inTransaction, refuseDuplicates } from '#platform/database/transaction.ts'

/**
 * Only these functions change dictionaries: what writes a name or fields needs a draft, which
 * `createDictionary` and `changeDictionary` open, and close with the version: who changed what. The database
 * refuses a revision without a version, and any change of a version (0002-dictionary-versions).
 */

const opened: unique symbol = Symbol('opened')

/** A dictionary that its transaction may change; other changes and uploads wait until it ends. */
export type DictionaryDraft = {
  readonly trx: Trx
  readonly id: number
  /** The name when the draft was opened. */
  readonly name: string
  readonly [opened]: true
}

/** The result of work on a draft. If `change` is null, there is no new version. */
export type DraftOutcome<T> = { change: DictionaryChange | null; result: T }

/** Who changes a dictionary; null: the portal itself. */
export const actorId = ({ caller }: Pick<Deps, 'caller'>): number | null => caller.actor?.id ?? null

const duplicates = { dictionaries_name_key: dictionaryMessages.duplicateName }

/** Makes its first version; `fill` may add fields. `userId`: null for the portal. 409 for a taken name. */
export async function createDictionary(
  trx: Trx,
  name: string,
  userId: number | null,
  change: DictionaryChange,
  fill: (draft: DictionaryDraft) => Promise<void> = async () => {},
): Promise<number> {
  const insert = trx.insertInto('dictionaries').values({ name, revision: 0 }).returning('id')
  const { id } = await refuseDuplicates(duplicates, () => insert.executeTakeFirstOrThrow())
  const draft: DictionaryDraft = { trx, id, name, [opened]: true }
  await fill(draft)
  await writeVersion(draft, change, userId)
  return id
}

/** Also writes the new version. Throws 404 without the dictionary, and whatever `work` throws. */
export function changeDictionary<T>(
  deps: Pick<Deps, 'db' | 'caller'>,
  id: number,
  work: (draft: DictionaryDraft) => Promise<DraftOutcome<T>>,
): Promise<T> {
  return inTransaction(deps.db, async (trx) => {
    const { name } = await lockDictionary(trx, id)
    const draft: DictionaryDraft = { trx, id, name, [opened]: true }
    const { change, result } = await work(draft)
    if (change !== null) await writeVersion(draft, change, actorId(deps))
    return result
  })
}

/** Throws 409 when the name is taken. */
export async function renameDraft({ trx, id }: DictionaryDraft, name: string): Promise<void> {
  const update = trx.updateTable('dictionaries').set({ name }).where('id', '=', id)
  await refuseDuplicates(duplicates, () => update.execute())
}

/** The time is clock_timestamp(): a transaction that waited began before the revision that it follows. */
async function writeVersion(
  draft: DictionaryDraft,
  change: DictionaryChange,
  userId: number | null,
): Promise<void> {
  await freezeFields(draft)
  await sql`
    with revised as (
      update dictionaries
      set revision = revision + 1, updated_at = clock_timestamp(), updated_by = ${userId}::integer
      where id = ${draft.id}
      returning id, revision, name, updated_at, updated_by
    )
    insert into dictionary_versions (dictionary_id, revision, name, field_ids, changed_at, changed_by, change)
    select
      id, revision, name,
      array(select frozen_id from fields where dictionary_id = ${draft.id} order by position),
      updated_at, updated_by, ${JSON.stringify(change)}::jsonb
    from revised
  `.execute(draft.trx)
}

/** Writes the fields that changed; versions share all others. */
async function freezeFields({ trx, id }: DictionaryDraft): Promise<void> {
  await sql`
    with fresh as (
      update fields set frozen_id = nextval(pg_get_serial_sequence('frozen_fields', 'id'))
      where dictionary_id = ${id} and frozen_id is null
      returning *
    )
    insert into frozen_fields (id, content)
    select frozen_id, jsonb_build_object(
      'itemName', name, 'description', description, 'category', category,
      'ruleType', rule_type, 'isRequired', required, 'identifiesRow', identifies_row,
      'ruleConfig', rule_config)
    from fresh
  `.execute(trx)
}
