import { z } from 'zod'
import { companyForm } from '#forms/company.ts'
import { companyMessages } from '#messages/companies.ts'
import { defineEndpoint } from './endpoint.ts'
import { etag, idParams, idReply, messageReply, optionalEtag, timestamp } from './envelope.ts'
import { pageOf, pagingQuery } from './paging.ts'
import { chosenId, id } from './whole-number.ts'

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

export const listCompanies = defineEndpoint({
  method: 'GET',
  path: '/api/Company',
  access: 'superAdmin',
  summary: 'Companies',
  query: pagingQuery,
  reply: pageOf(companyItem),
})

export const createCompany = defineEndpoint({
  method: 'POST',
  path: '/api/Company',
  access: 'superAdmin',
  summary: 'Create a company',
  body: companyForm,
  reply: idReply,
  status: 201,
})

export const readCompany = defineEndpoint({
  method: 'GET',
  path: '/api/Company/:id',
  access: 'superAdmin',
  summary: 'One company',
  params: idParams,
  reply: z.object({ companyName: z.string(), address: z.string(), containerName: z.string(), version: etag }),
})

export const updateCompany = defineEndpoint({
  method: 'PUT',
  path: '/api/Company/:id',
  access: 'superAdmin',
  summary: 'Change a company',
  params: idParams,
  body: companyForm.extend({ version: optionalEtag }),
  reply: idReply,
})

export const deleteCompany = defineEndpoint({
  method: 'DELETE',
  path: '/api/Company/:id',
  access: 'superAdmin',
  summary: 'Delete a company; its users can no longer log in, its saved files stay',
  params: idParams,
  reply: messageReply,
})

export const previewCompanyDeletion = defineEndpoint({
  method: 'GET',
  path: '/api/Company/:id/deletion',
  access: 'superAdmin',
  summary: 'What deleting a company would take away and what would stay, counted now',
  params: idParams,
  reply: companyDeletion,
})

export const listCompanyUsers = defineEndpoint({
  method: 'GET',
  path: '/api/Company/:id/users',
  access: 'superAdmin',
  summary: 'Users of a company',
  params: idParams,
  query: pagingQuery,
  reply: pageOf(companyUserItem),
})

export const listCompanyDictionaries = defineEndpoint({
  method: 'GET',
  path: '/api/Company/:id/datadictionaries',
  access: 'superAdmin',
  summary: 'Dictionaries associated with a company',
  params: idParams,
  reply: z.array(companyDictionaryItem),
})

export const associateDictionary = defineEndpoint({
  method: 'POST',
  path: '/api/Company/datadictionary',
  access: 'superAdmin',
  summary: 'Associate a dictionary with a company',
  body: z.object({
    companyId: id,
    dataDictionaryId: chosenId(companyMessages.selectDictionary),
  }),
  reply: messageReply,
})

export const dissociateDictionary = defineEndpoint({
  method: 'DELETE',
  path: '/api/Company/:companyId/datadictionary/:dictionaryId',
  access: 'superAdmin',
  summary: 'Remove a dictionary from a company',
  params: z.object({ companyId: id, dictionaryId: id }),
  reply: messageReply,
})
