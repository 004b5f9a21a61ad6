import { buffer } from 'node:stream/consumers'
import {
  downloadTemplate as templateEndpoint,
  exportDictionary as exportEndpoint,
  exportTableSchema as exportTableSchemaEndpoint,
  importDictionary as importEndpoint,
  proposeDictionary as proposeEndpoint,
} from '@veridict/contract/api/dictionaries'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { FastifyInstance } from 'fastify'
import { exportDictionary, exportTableSchema, openTemplate } from '#dictionaries/export-dictionary.ts'
import { importDictionary, type ImportedWorkbook } from '#dictionaries/change-dictionary.ts'
import { presentProposal, proposeDictionary } from '#dictionaries/propose-dictionary.ts'
import { badRequest, invalid, unsupportedMediaType } from '#errors.ts'
import { fileDownload, WORKBOOK } from '#platform/http/download.ts'
import { mount } from '#platform/http/mount.ts'
import type { UploadPart } from '#platform/storage/receive-upload.ts'
import { parseBody } from '#platform/http/parse-call.ts'

export function mountDictionaryFiles(app: FastifyInstance): void {
  mount(app, importEndpoint, async ({ parts, deps }) => {
    const { fields, workbook } = await receiveWorkbook(parts)
    const { name } = parseBody(importEndpoint.multipart.fields, fields)
    return { id: await importDictionary(name, workbook, deps) }
  })

  mount(app, proposeEndpoint, async ({ parts, deps, disconnected }) =>
    presentProposal(await proposeDictionary(parts, deps, disconnected)),
  )

  mount(app, exportEndpoint, async ({ params, deps }) => {
    const { name, workbook } = await exportDictionary(params.id, deps)
    return { fileName: `${name}.xlsx`, mediaType: WORKBOOK, content: workbook }
  })

  mount(app, templateEndpoint, async ({ params, viewer, deps }) =>
    fileDownload(await openTemplate(params.id, viewer, deps)),
  )

  mount(app, exportTableSchemaEndpoint, async ({ params, deps }) => {
    const { name, schema } = await exportTableSchema(params.id, deps)
    const content = Buffer.from(schema)
    return { fileName: `${name}.schema.json`, mediaType: 'application/json', content }
  })
}

/** The one file of a dictionary import, whole in memory (1 MiB at most), and the fields beside it. */
type ReceivedWorkbook = { workbook: ImportedWorkbook; fields: Record<string, string> }

/** Reads the parts, in any order. Throws 415 unless the file is named .xlsx, 400 without a part `file`. */
async function receiveWorkbook(parts: AsyncIterable<UploadPart>): Promise<ReceivedWorkbook> {
  const fields: Record<string, string> = {}
  let workbook: ImportedWorkbook | undefined
  for await (const part of parts) {
    if (part.kind === 'field') fields[part.name] = part.value
    else if (part.name !== 'file') throw badRequest(uploadMessages.malformed)
    else workbook = await readWorkbook(part)
  }
  if (!workbook) throw invalid('file', uploadMessages.fileRequired)
  return { workbook, fields }
}

async function readWorkbook({
  fileName,
  content,
}: Extract<UploadPart, { kind: 'file' }>): Promise<ImportedWorkbook> {
  if (/\.xlsx$/i.test(fileName)) return { fileName, bytes: await buffer(content) }
  throw unsupportedMediaType(dictionaryMessages.importWrongType)
}
