import {
  downloadTemplate as templateEndpoint,
  exportDictionary as exportEndpoint,
  exportTableSchema as exportTableSchemaEndpoint,
  importDictionary as importEndpoint,
  proposeDictionary as proposeEndpoint,
} from '@veridict/contract/api/dictionaries'
import { dictionaryLimits, uploadLimits } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { FastifyInstance } from 'fastify'
import { WORKBOOK, workbookDownload } from '#platform/http/download.ts'
import { mount, withMessage } from '#platform/http/mount.ts'
import { parseBody } from '#platform/http/parse-call.ts'
import { presentProposal } from '#dictionaries/present-dictionary.ts'
import { receiveWorkbook } from '#dictionaries/receive-workbook.ts'
import { exportDictionary, exportTableSchema } from '#dictionaries/export-dictionary.ts'
import { importDictionary } from '#dictionaries/import-dictionary.ts'
import { openTemplate } from '#dictionaries/open-template.ts'
import { proposeDictionary } from '#dictionaries/propose-dictionary.ts'

const importLimit = { maxBytes: dictionaryLimits.maxImportBytes, message: dictionaryMessages.importTooLarge }
const sampleLimit = { maxBytes: uploadLimits.maxBytes, message: uploadMessages.tooLarge }

/** Import and export of dictionaries as workbooks and Table Schemas. */
export function mountDictionaryFiles(app: FastifyInstance): void {
  mount(
    app,
    importEndpoint,
    async ({ parts, viewer, deps }) => {
      const { fields, workbook } = await receiveWorkbook(parts)
      const { name } = parseBody(importEndpoint.multipart.fields, fields)
      const id = await importDictionary(name, workbook, viewer.userId, deps)
      return withMessage({ id }, dictionaryMessages.imported)
    },
    { file: importLimit },
  )

  mount(
    app,
    proposeEndpoint,
    async ({ parts, deps, disconnected }) =>
      presentProposal(await proposeDictionary(parts, deps, disconnected)),
    {
      file: sampleLimit,
    },
  )

  mount(app, exportEndpoint, async ({ params, deps }) => {
    const { name, workbook } = await exportDictionary(params.id, deps)
    return { fileName: `${name}.xlsx`, mediaType: WORKBOOK, content: workbook, bytes: workbook.byteLength }
  })

  mount(app, templateEndpoint, async ({ params, viewer, deps }) =>
    workbookDownload(await openTemplate(params.id, viewer, deps)),
  )

  mount(app, exportTableSchemaEndpoint, async ({ params, deps }) => {
    const { name, schema } = await exportTableSchema(params.id, deps)
    const content = Buffer.from(schema)
    return {
      fileName: `${name}.schema.json`,
      mediaType: 'application/json',
      content,
      bytes: content.byteLength,
    }
  })
}
