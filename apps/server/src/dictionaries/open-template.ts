import { templateFileName } from '@veridict/contract/messages/template-file'
import { checkTemplate } from '@veridict/engine'
import type { Deps } from '#deps.ts'
import { isCompanyDictionary } from '#dictionaries/company-dictionaries.ts'
import { findWholeVersion, readDictionary } from '#dictionaries/dictionaries.ts'
import { conflict, found, unavailable } from '#errors.ts'
import { personKey, type Viewer } from '#platform/access/viewer.ts'
import { ADMINISTRATORS, type Requester, ValidatorError } from '#platform/validator/validator.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'generatedFiles' | 'log'>

/**
 * Of the present version, from the cache or a validator process: lists of a million values take seconds. The
 * caller closes it. Administrators may open any, others those of their company: throws 404 else, 409 if there
 * is nothing to fill in, 503 if it could not be made.
 */
export async function openTemplate(id: number, viewer: Pick<Viewer, 'companyId' | 'userId'>, deps: Needs) {
  const { companyId } = viewer
  const requester: Requester = { party: companyId ?? ADMINISTRATORS, person: personKey(viewer) }
  if (companyId !== null) await found(isCompanyDictionary(deps.db, companyId, id), 'Data dictionary')
  const { name, versionId, updatedAt } = await readDictionary(deps.db, id)
  const make = async (outputPath: string) => {
    const { fields, ruleBook } = await findWholeVersion(deps.db, versionId)
    const refusal = checkTemplate(fields)
    if (refusal !== null) throw conflict(refusal)
    const frozen = { name, fields, ...ruleBook }
    await deps.validator.run('writeTemplate', { dictionary: frozen, outputPath }, { requester })
  }
  // With the time of the version: ids start at 1 in every database, and another one may have used the folder.
  const file = await deps.generatedFiles
    .open(`template-${versionId}-${updatedAt.getTime()}.xlsx`, make)
    .catch((error: unknown) => refuse(error, versionId, deps))
  return { fileName: templateFileName(name), file }
}

function refuse(error: unknown, versionId: number, { log }: Needs): never {
  if (!(error instanceof ValidatorError)) throw error
  log.error({ err: error, versionId }, 'a template could not be made')
  throw unavailable()
}
