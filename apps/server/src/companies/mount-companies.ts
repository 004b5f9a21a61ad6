import * as endpoints from '@veridict/contract/api/companies'
import type { CompanyDeletion } from '@veridict/contract/api/companies'
import * as tokenEndpoints from '@veridict/contract/api/company-tokens'
import * as webhookEndpoints from '@veridict/contract/api/webhooks'
import type { CompanyForm } from '@veridict/contract/forms/company'
import { companyMessages } from '@veridict/contract/messages/companies'
import { webhookMessages } from '@veridict/contract/messages/webhooks'
import type { FastifyInstance } from 'fastify'
import { readWebhook, setWebhook, testWebhook } from '#companies/company-webhook.ts'
import { createCompanyToken, listCompanyTokens, revokeCompanyToken } from '#companies/change-tokens.ts'
import {
  listCompanies,
  listCompanyDictionaries,
  listCompanyUsers,
  presentCompany,
  proposeFolder,
  readCompany,
} from '#companies/read-companies.ts'
import { mount, withMessage } from '#platform/http/mount.ts'
import { changes, onlyAfter, recordAudit } from '#audit/record-audit.ts'
import {
  changeCompany,
  changePause,
  columnsOf,
  deleteAssociation,
  hasIngestedFiles,
  insertAssociation,
  insertCompany,
  lockCompany,
  markCompanyDeleted,
  markCompanyUsersDeleted,
  touchCompany,
} from '#companies/companies.ts'
import { markTokensRevoked } from '#companies/company-tokens.ts'
import type { Deps } from '#deps.ts'
import { lockDictionaryForShare } from '#dictionaries/dictionaries.ts'
import { deleteAnswersOf } from '#dictionaries/remembered-answers.ts'
import { conflict, found } from '#errors.ts'
import { countCompanyFiles, countCompanyMembers } from '#platform/database/deletion-counts.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { companyEtag, refuseStale } from '#platform/etags.ts'
import { deleteWebhook } from '#webhooks/webhooks.ts'

export function mountCompanies(app: FastifyInstance): void {
  mountTokens(app)
  mountWebhook(app)

  mount(app, endpoints.listCompanies, ({ query, deps }) => listCompanies(query, deps))

  mount(app, endpoints.proposeFolder, async ({ query, deps }) => ({
    containerName: await proposeFolder(query.name, deps),
  }))

  mount(app, endpoints.createCompany, async ({ body, deps }) => ({
    id: await createCompany(body, deps),
  }))

  mount(app, endpoints.readCompany, async ({ params, deps }) =>
    presentCompany(await readCompany(params.id, deps)),
  )

  mount(app, endpoints.updateCompany, async ({ params, body, deps }) => {
    await updateCompany(params.id, body, deps)
    return { id: params.id }
  })

  mount(app, endpoints.deleteCompany, ({ params, deps }) => deleteCompany(params.id, deps))

  mount(app, endpoints.pauseCompany, async ({ params, body: { on }, deps }) => {
    await pauseCompany(params.id, on, deps)
    return { message: on ? companyMessages.paused : companyMessages.resumed }
  })

  mount(app, endpoints.previewCompanyDeletion, ({ params, deps }) => previewCompanyDeletion(params.id, deps))

  mount(app, endpoints.listCompanyUsers, ({ params, query, deps }) =>
    listCompanyUsers(params.id, query, deps),
  )

  mount(app, endpoints.listCompanyDictionaries, ({ params, deps }) =>
    listCompanyDictionaries(params.id, deps),
  )

  mount(app, endpoints.associateDictionary, ({ body, deps }) =>
    changeAssociation(true, body.companyId, body.dataDictionaryId, deps),
  )

  mount(app, endpoints.dissociateDictionary, ({ params, deps }) =>
    changeAssociation(false, params.companyId, params.dictionaryId, deps),
  )
}

function mountTokens(app: FastifyInstance): void {
  mount(app, tokenEndpoints.listCompanyTokens, ({ params, deps }) => listCompanyTokens(params.id, deps))

  mount(app, tokenEndpoints.createCompanyToken, ({ params, body, deps }) =>
    createCompanyToken(params.id, body, deps),
  )

  mount(app, tokenEndpoints.revokeCompanyToken, ({ params, deps }) =>
    revokeCompanyToken(params.id, params.tokenId, deps),
  )
}

function mountWebhook(app: FastifyInstance): void {
  mount(app, webhookEndpoints.readWebhook, ({ params, deps }) => readWebhook(params.id, deps))

  mount(app, webhookEndpoints.setWebhook, async ({ params, body, deps }) =>
    withMessage(
      await setWebhook(params.id, body, deps),
      body.url === null ? webhookMessages.removed : webhookMessages.set,
    ),
  )

  mount(app, webhookEndpoints.testWebhook, ({ params, deps }) => testWebhook(params.id, deps))
}

/** Returns the id. 409 if the name or the storage folder is in use; deleted companies keep their folders. */
function createCompany(form: CompanyForm, deps: Pick<Deps, 'db' | 'caller'>): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    const companyId = await insertCompany(trx, form)
    const detail = onlyAfter(columnsOf(form))
    await recordAudit({ action: 'company.created', subject: form.name, companyId, detail }, trx, deps)
    return companyId
  })
}

/**
 * 409 if the name or folder is in use, if the company was changed since `version` was read, or if the storage
 * folder would change after files were ingested into it (also by letter case: most file systems distinguish
 * it).
 */
async function updateCompany(
  id: number,
  { version: etag, ...form }: CompanyForm & { version?: string | null },
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const company = await found(lockCompany(trx, id), 'Company')
    refuseStale(etag, companyEtag(company))
    const movesFolder = form.containerName !== company.storageFolder
    if (movesFolder && (await hasIngestedFiles(trx, id))) throw conflict(companyMessages.storageFolderInUse)
    await changeCompany(trx, id, form)
    const { name, storageFolder, address } = company
    const detail = changes({ name, storageFolder, address }, columnsOf(form))
    await recordAudit({ action: 'company.updated', subject: company.name, companyId: id, detail }, trx, deps)
  })
}

/** Refuses the uploads of a company and lets its files wait, or go on. 404 if there is no such company. */
async function pauseCompany(
  id: number,
  on: boolean,
  deps: Pick<Deps, 'db' | 'caller' | 'jobs'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const company = await found(lockCompany(trx, id), 'Company')
    await changePause(trx, id, on)
    const detail = changes({ paused: company.pausedAt !== null }, { paused: on })
    await recordAudit({ action: 'company.paused', subject: company.name, companyId: id, detail }, trx, deps)
    if (on) return
    await deps.jobs.wake('validateSubmission', trx)
    await deps.jobs.wake('ingestSubmission', trx)
  })
}

/** What `deleteCompany` would delete, and what would stay. 404 if there is no such company. */
async function previewCompanyDeletion(id: number, deps: Pick<Deps, 'db'>): Promise<CompanyDeletion> {
  const { storageFolder } = await readCompany(id, deps)
  const [members, files] = await Promise.all([
    countCompanyMembers(deps.db, id),
    countCompanyFiles(deps.db, id),
  ])
  return { containerName: storageFolder, ...members, ...files }
}

/**
 * Deletes a company and its users softly, and revokes its tokens. Their sessions end, their sockets and
 * calls are cut; names and e-mail addresses can be used again, the storage folder cannot, and its files stay.
 * 404 if there is no such company.
 */
async function deleteCompany(id: number, deps: Pick<Deps, 'db' | 'bus' | 'caller'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const company = await found(lockCompany(trx, id), 'Company')
    await markCompanyDeleted(trx, id)
    await deleteWebhook(trx, id)
    await deleteAnswersOf(trx, id)
    const about = { companyId: id, subject: company.name }
    await recordAudit({ action: 'company.deleted', ...about }, trx, deps)
    for (const user of await markCompanyUsersDeleted(trx, id)) {
      await deps.bus.publishEnd({ userId: user.id }, trx)
      await recordAudit({ action: 'user.deleted', companyId: id, subject: user.email }, trx, deps)
    }
    for (const token of await markTokensRevoked(trx, id)) {
      await deps.bus.publishEnd({ tokenId: token.id }, trx)
      await recordAudit({ action: 'token.revoked', companyId: id, subject: token.name }, trx, deps)
    }
  })
}

/**
 * Lets a company use a dictionary, or not any more; earlier submissions stay. 404 if either does not exist,
 * or they are not associated; 409 if they are already.
 */
async function changeAssociation(
  isAssociated: boolean,
  companyId: number,
  dictionaryId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await found(touchCompany(trx, companyId), 'Company')
    const { name: subject } = await found(lockDictionaryForShare(trx, dictionaryId), 'Data dictionary')
    if (isAssociated) await insertAssociation(trx, companyId, dictionaryId)
    else await found(deleteAssociation(trx, companyId, dictionaryId), 'Data dictionary')
    const action = isAssociated ? 'dictionary.associated' : 'dictionary.removed'
    await recordAudit({ action, subject, companyId }, trx, deps)
  })
}
