import { z } from 'zod'
import {
  copyDictionaryForm,
  createDictionaryForm,
  newFields,
  renameDictionaryForm,
} from '#forms/dictionary.ts'
import { dictionaryLimits, uploadLimits } from '#limits.ts'
import { dictionaryMessages } from '#messages/dictionaries.ts'
import { uploadMessages } from '#messages/upload.ts'
import {
  endpoint,
  etag,
  id,
  idParams,
  idReply,
  messageReply,
  optionalEtag,
  timestamp,
  pageOf,
  pagingQuery,
} from './endpoint.ts'
import { fieldItem, proposedField } from './fields.ts'
import { unchecked } from './rule-book.ts'
import { ruleBook } from './rule-book-shape.ts'

export const dictionaryItem = z.object({
  id: z.int(),
  dataDictionaryName: z.string(),
  fieldsCount: z.int(),
  lastUpdated: timestamp,
})
export type DictionaryItem = z.infer<typeof dictionaryItem>

export const dictionaryDeletion = z.object({ companyCount: z.int(), filesInProcess: z.int() })
export type DictionaryDeletion = z.infer<typeof dictionaryDeletion>

export const listDictionaries = endpoint('GET /api/DataDictionary', 'superAdmin', 'Data dictionaries', {
  query: pagingQuery,
  reply: pageOf(dictionaryItem),
})

export const createDictionary = endpoint(
  'POST /api/DataDictionary',
  'superAdmin',
  'Create a dictionary, with fields and rules between them or without, all or nothing',
  {
    body: createDictionaryForm.extend({ items: newFields.optional(), ...unchecked }),
    reply: idReply,
    says: dictionaryMessages.created,
    status: 201,
  },
)

const dictionaryProposal = z.object({
  /** From the file's name; may be empty. */
  name: z.string(),
  /** The number of the sample's rows; null for a Table Schema. */
  recordsCount: z.int().nullable(),
  fields: z.array(proposedField),
  ...ruleBook.shape,
  /** What a person should know before using the fields. */
  notes: z.array(z.string()),
})
export type DictionaryProposal = z.infer<typeof dictionaryProposal>

export const proposeDictionary = endpoint(
  'POST /api/DataDictionary/Propose',
  'superAdmin',
  'Propose fields and rules from a sample or a Table Schema; nothing is created, and the file is not kept',
  {
    multipart: {
      file: { maxBytes: uploadLimits.maxBytes, message: uploadMessages.tooLarge },
      fields: z.object({}),
    },
    reply: dictionaryProposal,
  },
)

export const readDictionary = endpoint('GET /api/DataDictionary/:id', 'superAdmin', 'One dictionary', {
  /** `updatedBy` is a name; null if the portal itself made the dictionary. `companies` use it, by name. */
  reply: z.object({
    id: z.int(),
    name: z.string(),
    lastUpdated: timestamp,
    updatedBy: z.string().nullable(),
    companies: z.array(z.object({ id: z.int(), name: z.string() })),
    version: etag,
  }),
})

/** What the engine needs of a dictionary to validate a file; `currentYear` and `today` are the server's. */
export const readForChecking = endpoint(
  'GET /api/DataDictionary/:id/ForChecking',
  'companyUser',
  'A dictionary of the company with its fields, in order, and rules, to check a file before its upload; ' +
    'with `submission` as it was, and on the day, when that file was uploaded',
  {
    query: z.object({ submission: id.optional() }),
    reply: z.object({
      id: z.int(),
      name: z.string(),
      currentYear: z.int(),
      /** yyyy-MM-dd, in UTC. */
      today: z.string(),
      fields: z.array(fieldItem.omit({ id: true })),
      ...ruleBook.shape,
    }),
  },
)
export type DictionaryForChecking = z.infer<typeof readForChecking.reply>

export const renameDictionary = endpoint('PUT /api/DataDictionary', 'superAdmin', 'Rename a dictionary', {
  query: idParams,
  body: renameDictionaryForm.extend({ version: optionalEtag }),
  reply: idReply,
  says: dictionaryMessages.saved,
})

export const deleteDictionary = endpoint(
  'DELETE /api/DataDictionary/:id',
  'superAdmin',
  'Delete a dictionary; history and reports stay readable',
  { reply: messageReply, says: dictionaryMessages.deleted },
)

export const previewDictionaryDeletion = endpoint(
  'GET /api/DataDictionary/:id/deletion',
  'superAdmin',
  'Who would lose a dictionary by deleting it, counted now',
  { reply: dictionaryDeletion },
)

export const copyDictionary = endpoint(
  'POST /api/DataDictionary/copy/:id',
  'superAdmin',
  'Duplicate a dictionary under another name',
  { body: copyDictionaryForm, reply: idReply, says: dictionaryMessages.created, status: 201 },
)

export const importDictionary = endpoint(
  'POST /api/DataDictionary/Import',
  'superAdmin',
  'Make a dictionary from a workbook, all or nothing',
  {
    multipart: {
      file: { maxBytes: dictionaryLimits.maxImportBytes, message: dictionaryMessages.importTooLarge },
      fields: createDictionaryForm,
    },
    reply: idReply,
    says: dictionaryMessages.imported,
    status: 201,
  },
)

export const exportDictionary = endpoint(
  'GET /api/DataDictionary/:id/Export',
  'superAdmin',
  'A dictionary as a workbook',
  { download: true },
)

export const downloadTemplate = endpoint(
  'GET /api/DataDictionary/:id/Template',
  'loggedIn',
  'A blank workbook to fill in; company users only of a dictionary of their company',
  { download: true, canConflict: true },
)

export const exportTableSchema = endpoint(
  'GET /api/DataDictionary/:id/TableSchema',
  'superAdmin',
  'A dictionary as a Frictionless Table Schema; what other programs do differently stands in it',
  { download: true },
)
