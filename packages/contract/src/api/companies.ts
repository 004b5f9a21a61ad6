import { z } from 'zod'
import { companyForm } from '#forms/company.ts'
import { companyMessages } from '#messages/companies.ts'
import {
  endpoint,
  etag,
  idReply,
  messageReply,
  optionalEtag,
  timestamp,
  pageOf,
  pagingQuery,
  chosenId,
  id,
} from './endpoint.ts'

export const companyItem = z.object({
  companyId: z.int(),
  companyName: z.string(),
  containerName: z.string(),
  address: z.string(),
  userCount: z.int(),
  dataDictionaryCount: z.int(),
  lastUpdated: timestamp,
})
export type CompanyItem = z.infer<typeof companyItem>

export const companyUserItem = z.object({
  id: z.int(),
  userName: z.string(),
  email: z.string(),
  phone: z.string(),
  version: etag,
})
export type CompanyUserItem = z.infer<typeof companyUserItem>

export const companyDictionaryItem = z.object({ id: z.int(), name: z.string(), fieldCount: z.int() })
export type CompanyDictionaryItem = z.infer<typeof companyDictionaryItem>

export const companyDeletion = z.object({
  containerName: z.string(),
  userCount: z.int(),
  dataDictionaryCount: z.int(),
  /** How many of its tokens are valid. */
  tokenCount: z.int(),
  filesInProcess: z.int(),
  filesWithStorageError: z.int(),
  filesSaved: z.int(),
  filesUploaded: z.int(),
})
export type CompanyDeletion = z.infer<typeof companyDeletion>

export const listCompanies = endpoint('GET /api/Company', 'superAdmin', 'Companies', {
  query: pagingQuery,
  reply: pageOf(companyItem),
})

export const proposeFolder = endpoint(
  'GET /api/Company/StorageFolder',
  'superAdmin',
  'A storage folder after the name of a company, which no company has or had; empty without Latin letters',
  { query: companyForm.pick({ name: true }), reply: z.object({ containerName: z.string() }) },
)

export const createCompany = endpoint('POST /api/Company', 'superAdmin', 'Create a company', {
  body: companyForm,
  reply: idReply,
  says: companyMessages.created,
  status: 201,
})

export const readCompany = endpoint('GET /api/Company/:id', 'superAdmin', 'One company', {
  reply: z.object({
    companyName: z.string(),
    address: z.string(),
    containerName: z.string(),
    version: etag,
    /** Since when uploads are paused; null if they are not. */
    pausedAt: timestamp.nullable(),
  }),
})

export const updateCompany = endpoint('PUT /api/Company/:id', 'superAdmin', 'Change a company', {
  body: companyForm.extend({ version: optionalEtag }),
  reply: idReply,
  says: companyMessages.saved,
})

export const deleteCompany = endpoint(
  'DELETE /api/Company/:id',
  'superAdmin',
  'Delete a company; its users can no longer log in, its saved files stay',
  { reply: messageReply, says: companyMessages.deleted },
)

export const previewCompanyDeletion = endpoint(
  'GET /api/Company/:id/deletion',
  'superAdmin',
  'What deleting a company would take away and what would stay, counted now',
  { reply: companyDeletion },
)

export const pauseCompany = endpoint(
  'POST /api/Company/:id/Pause',
  'superAdmin',
  'Refuse the uploads of a company and let its files wait, or go on',
  { body: z.object({ on: z.boolean() }), reply: messageReply },
)

export const listCompanyUsers = endpoint('GET /api/Company/:id/users', 'superAdmin', 'Users of a company', {
  query: pagingQuery,
  reply: pageOf(companyUserItem),
})

export const listCompanyDictionaries = endpoint(
  'GET /api/Company/:id/datadictionaries',
  'superAdmin',
  'Dictionaries associated with a company',
  { reply: z.array(companyDictionaryItem) },
)

export const associateDictionary = endpoint(
  'POST /api/Company/datadictionary',
  'superAdmin',
  'Associate a dictionary with a company',
  {
    body: z.object({ companyId: id, dataDictionaryId: chosenId(companyMessages.selectDictionary) }),
    reply: messageReply,
    says: companyMessages.associated,
  },
)

export const dissociateDictionary = endpoint(
  'DELETE /api/Company/:companyId/datadictionary/:dictionaryId',
  'superAdmin',
  'Remove a dictionary from a company',
  { reply: messageReply, says: companyMessages.dissociated },
)
