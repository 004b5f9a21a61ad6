import type { Impact } from '@veridict/contract/api/impacts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { findDictionary, findPresentVersionId } from '#dictionaries/dictionaries.ts'
import { checkTried, type TriedRequest } from '#dictionaries/rule-books.ts'
import { found } from '#errors.ts'
import { countUntried, findImpactEnd, findTriedFiles, insertImpact } from '#impacts/impacts.ts'
import { inTransaction } from '#platform/database/transaction.ts'

/**
 * Checks a dictionary as it would be, and lets a worker find out what it would do to the last uploads.
 * Returns the id to ask by. Throws as saving does, and 429 while too many wait.
 */
export async function beginImpact(
  dictionaryId: number,
  request: TriedRequest,
  deps: Pick<Deps, 'db' | 'validator' | 'log' | 'caller' | 'jobs'>,
): Promise<number> {
  const draft = await checkTried(dictionaryId, request, deps)
  const given = Object.entries(request).filter(([, part]) => part !== undefined)
  return inTransaction(deps.db, async (trx) => {
    const dictionary = await found(findDictionary(trx, dictionaryId), 'Data dictionary')
    const dictionaryVersionId = await findPresentVersionId(trx, dictionary)
    const id = await insertImpact(trx, { dictionaryId, dictionaryVersionId, draft })
    const detail = onlyAfter({ changed: given.map(([part]) => part) })
    await recordAudit({ action: 'impact.tried', subject: dictionary.name, detail }, trx, deps)
    await deps.jobs.wake('tryImpacts', trx)
    return id
  })
}

export type ImpactPlace = { id: number; impactId: number }

/** What was found until now. Throws 404. */
export async function readImpact({ id, impactId }: ImpactPlace, { db }: Pick<Deps, 'db'>): Promise<Impact> {
  await found(findDictionary(db, id), 'Data dictionary')
  const { doneAt } = await found(findImpactEnd(db, id, impactId), 'Impact')
  const tried = await findTriedFiles(db, impactId)
  const files = tried.map(({ createdAt, outcome, companyId, companyName, ...file }) => ({
    companyId,
    companyName,
    file: { ...file, uploadedAt: createdAt.toISOString(), ...outcome },
  }))
  const isRefused = ({ file }: (typeof files)[number]) =>
    file.statusBefore !== SubmissionStatus.ValidationFailed && !file.acceptedAfter
  return {
    state: doneAt === null ? 'running' : 'done',
    filesTried: files.length,
    filesNotTried: await countUntried(db, impactId),
    filesRefused: files.filter(isRefused).length,
    companies: [...Map.groupBy(files, ({ companyId }) => companyId).values()].map((ofCompany) => ({
      name: ofCompany[0]!.companyName,
      files: ofCompany.map(({ file }) => file),
    })),
  }
}
