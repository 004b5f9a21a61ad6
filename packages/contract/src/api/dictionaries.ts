import { z } from 'zod'
import {
  copyDictionaryForm,
  createDictionaryForm,
  newFields,
  renameDictionaryForm,
} from '#forms/dictionary.ts'
import { defineEndpoint } from './endpoint.ts'
import { etag, idParams, idReply, messageReply, optionalEtag, timestamp } from './envelope.ts'
import { fieldItem, proposedField } from './fields.ts'
import { pageOf, pagingQuery } from './paging.ts'
import { ruleBook } from './rule-book.ts'

export const dictionaryItem = z.object({
  id: z.int(),
  dataDictionaryName: z.string(),
  fieldsCount: z.int(),
  lastUpdated: timestamp,
})
export type DictionaryItem = z.infer<typeof dictionaryItem>

export const dictionaryDeletion = z.object({ companyCount: z.int(), filesInProcess: z.int() })
export type DictionaryDeletion = z.infer<typeof dictionaryDeletion>

export const listDictionaries = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary',
  access: 'superAdmin',
  summary: 'Data dictionaries',
  query: pagingQuery,
  reply: pageOf(dictionaryItem),
})

export const createDictionary = defineEndpoint({
  method: 'POST',
  path: '/api/DataDictionary',
  access: 'superAdmin',
  summary: 'Create a dictionary, with fields or without, all or nothing',
  body: createDictionaryForm.extend({ items: newFields.optional() }),
  reply: idReply,
  status: 201,
})

const dictionaryProposal = z.object({
  /** From the file's name; may be empty. */
  name: z.string(),
  /** The number of the sample's rows; null for a Table Schema. */
  recordsCount: z.int().nullable(),
  fields: z.array(proposedField),
  /** What a person should know before using the fields. */
  notes: z.array(z.string()),
})
export type DictionaryProposal = z.infer<typeof dictionaryProposal>

export const proposeDictionary = defineEndpoint({
  method: 'POST',
  path: '/api/DataDictionary/Propose',
  access: 'superAdmin',
  summary: 'Propose fields from a sample or a Table Schema; nothing is created, and the file is not kept',
  multipart: { file: 'file', fields: z.object({}) },
  reply: dictionaryProposal,
})

export const readDictionary = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id',
  access: 'superAdmin',
  summary: 'One dictionary',
  params: idParams,
  /** `updatedBy` is a name; null if the portal itself made the dictionary. */
  reply: z.object({
    id: z.int(),
    name: z.string(),
    lastUpdated: timestamp,
    updatedBy: z.string().nullable(),
    version: etag,
  }),
})

/** What the engine needs of a dictionary to validate a file; `currentYear` and `today` are the server's. */
export const readForChecking = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id/ForChecking',
  access: 'companyUser',
  summary:
    'A dictionary of the company with its fields, in order, and rules, to check a file before its upload',
  params: idParams,
  reply: z.object({
    id: z.int(),
    name: z.string(),
    currentYear: z.int(),
    /** yyyy-MM-dd, in UTC. */
    today: z.string(),
    fields: z.array(fieldItem.omit({ id: true })),
    ...ruleBook.shape,
  }),
})
export type DictionaryForChecking = z.infer<typeof readForChecking.reply>

export const renameDictionary = defineEndpoint({
  method: 'PUT',
  path: '/api/DataDictionary',
  access: 'superAdmin',
  summary: 'Rename a dictionary',
  query: idParams,
  body: renameDictionaryForm.extend({ version: optionalEtag }),
  reply: idReply,
})

export const deleteDictionary = defineEndpoint({
  method: 'DELETE',
  path: '/api/DataDictionary/:id',
  access: 'superAdmin',
  summary: 'Delete a dictionary; history and reports stay readable',
  params: idParams,
  reply: messageReply,
})

export const previewDictionaryDeletion = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id/deletion',
  access: 'superAdmin',
  summary: 'Who would lose a dictionary by deleting it, counted now',
  params: idParams,
  reply: dictionaryDeletion,
})

export const copyDictionary = defineEndpoint({
  method: 'POST',
  path: '/api/DataDictionary/copy/:id',
  access: 'superAdmin',
  summary: 'Duplicate a dictionary under another name',
  params: idParams,
  body: copyDictionaryForm,
  reply: idReply,
  status: 201,
})

export const importDictionary = defineEndpoint({
  method: 'POST',
  path: '/api/DataDictionary/Import',
  access: 'superAdmin',
  summary: 'Make a dictionary from a workbook, all or nothing',
  multipart: { file: 'file', fields: createDictionaryForm },
  reply: idReply,
  status: 201,
})

export const exportDictionary = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id/Export',
  access: 'superAdmin',
  summary: 'A dictionary as a workbook',
  params: idParams,
  download: true,
})

export const downloadTemplate = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id/Template',
  access: 'loggedIn',
  summary: 'A blank workbook to fill in; company users only of a dictionary of their company',
  params: idParams,
  download: true,
  canConflict: true,
})

export const exportTableSchema = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id/TableSchema',
  access: 'superAdmin',
  summary: 'A dictionary as a Frictionless Table Schema; what other programs do differently stands in it',
  params: idParams,
  download: true,
})
