import { errorScreenLimits } from '@veridict/contract/limits'
import type { RememberedAnswer } from '@veridict/contract/model/remembered-answer'
import { labelKey } from '@veridict/contract/notation/label'
import { sql } from 'kysely'
import { onlyAfter, onlyBefore, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { ofCompany } from '#dictionaries/company-dictionaries.ts'
import { found, notFound } from '#errors.ts'
import type { CompanyViewer } from '#platform/access/viewer.ts'
import type { Db, Trx } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'

type Company = Pick<CompanyViewer, 'companyId'>
type Needs = Pick<Deps, 'db' | 'caller'>
type StoredAnswer = RememberedAnswer & { id: number }

type Texts = NonNullable<RememberedAnswer['map']>

/**
 * In the order of the columns; also answers that no longer fit their field's rule, so that people can delete
 * them. With `columns` only of these columns, and of the structure.
 */
export async function findAnswers(
  db: Db,
  companyId: number,
  dictionaryId: number,
  columns?: readonly (string | null)[],
): Promise<StoredAnswer[]> {
  const rows = await db
    .selectFrom('rememberedAnswers as answer')
    .leftJoin('fields', 'fields.id', 'answer.fieldId')
    .where('answer.companyId', '=', companyId)
    .where('answer.dictionaryId', '=', dictionaryId)
    .$if(columns !== undefined, (answers) =>
      answers.where((row) =>
        row.or([
          row('answer.fieldId', 'is', null),
          row('fields.name', '=', sql<string>`any(${columns}::text[])`),
        ]),
      ),
    )
    .select(['answer.id', 'answer.kind', 'answer.question', 'answer.choice', 'answer.map'])
    .select('fields.name as column')
    .orderBy('fields.position', (position) => position.asc().nullsFirst())
    .orderBy('answer.kind')
    .execute()
  return rows.map(({ question, choice, map, ...answer }) => ({
    ...answer,
    question: question ?? undefined,
    choice: choice ?? undefined,
    map: map ?? undefined,
  }))
}

/**
 * Replaces the answer of the same column and kind, or adds to its map. Throws 404 without the column or the
 * dictionary. The audit trail gets no text of an answer: it can be the value of a cell.
 */
export function rememberAnswer(
  dictionaryId: number,
  { column: label, kind, question, choice, map }: RememberedAnswer,
  { companyId }: Company,
  deps: Needs,
): Promise<{ id: number }> {
  return inTransaction(deps.db, async (trx) => {
    const subject = await lockOwnDictionary(trx, companyId, dictionaryId)
    const { fieldId, column } = await findColumn(trx, dictionaryId, label)
    const answers = await findAnswers(trx, companyId, dictionaryId, [column])
    const before = answers.find((answer) => answer.kind === kind && answer.column === column)?.map
    const answer = {
      question: question ?? null,
      choice: choice ?? null,
      map: map ? JSON.stringify(joined(before, map)) : null,
    }
    const saved = await trx
      .insertInto('rememberedAnswers')
      .values({ companyId, dictionaryId, fieldId, kind, ...answer })
      .onConflict((same) =>
        same.columns(['companyId', 'dictionaryId', 'fieldId', 'kind']).doUpdateSet(answer),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = onlyAfter({ column, kind })
    await recordAudit({ action: 'answer.remembered', subject, detail }, trx, deps)
    return saved
  })
}

/** Throws 404 without such an answer of the company. */
export function forgetAnswer(
  dictionaryId: number,
  id: number,
  { companyId }: Company,
  deps: Needs,
): Promise<{ id: number }> {
  return inTransaction(deps.db, async (trx) => {
    const subject = await lockOwnDictionary(trx, companyId, dictionaryId)
    const answers = await findAnswers(trx, companyId, dictionaryId)
    const answer = answers.find((one) => one.id === id)
    if (answer === undefined) throw notFound('Answer')
    await trx.deleteFrom('rememberedAnswers').where('id', '=', id).execute()
    const detail = onlyBefore({ column: answer.column, kind: answer.kind })
    await recordAudit({ action: 'answer.forgotten', subject, detail }, trx, deps)
    return { id }
  })
}

/** A company is deleted softly, and its answers have values of cells. */
export async function deleteAnswersOf(trx: Trx, companyId: number): Promise<void> {
  await trx.deleteFrom('rememberedAnswers').where('companyId', '=', companyId).execute()
}

/** Returns its name. Until the transaction ends, it cannot change, and the company's answers neither. */
async function lockOwnDictionary(trx: Trx, companyId: number, dictionaryId: number): Promise<string> {
  const dictionary = ofCompany(trx, companyId)
    .where('dictionaries.id', '=', dictionaryId)
    .select('dictionaries.name')
    .forShare('dictionaries')
    .forUpdate('companyDictionaries')
  return (await found(dictionary.executeTakeFirst(), 'Data dictionary')).name
}

async function findColumn(trx: Trx, dictionaryId: number, label: string | null) {
  if (label === null) return { fieldId: null, column: null }
  const field = trx
    .selectFrom('fields')
    .where('dictionaryId', '=', dictionaryId)
    .where('nameKey', '=', labelKey(label))
    .select(['id as fieldId', 'name as column'])
  return found(field.executeTakeFirst(), 'Field')
}

/** Where the texts are too many, only the new ones are remembered. */
function joined(before: Texts | undefined, map: Texts): Texts {
  const all = { ...before, ...map }
  return JSON.stringify(all).length > errorScreenLimits.maxAnswerLength ? map : all
}
