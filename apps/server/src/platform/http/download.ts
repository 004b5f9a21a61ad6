import { Readable } from 'node:stream'
import { fileKindOf } from '@veridict/contract/forms/upload'
import { downloadLimits } from '@veridict/contract/limits'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyReply } from 'fastify'
import type { Deps } from '#deps.ts'
import { tooManyRequests } from '#errors.ts'
import type { GeneratedFile } from '#platform/storage/file-cache.ts'
import type { StoredFile } from '#platform/storage/storage.ts'
import { whenClosed } from '#platform/http/when-closed.ts'

/** A file as a reply. `fileName` may contain any characters. */
export type Download = { fileName: string; mediaType: string; content: Uint8Array | Readable; bytes?: number }

/** Media type of a workbook (ECMA-376). */
export const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Media type of a CSV file (RFC 7111); its encoding is that of the source. */
const CSV = 'text/csv'

/** A generated file as a reply. The stream closes it, also when the client disconnects. */
export const fileDownload = async ({ fileName, file }: GeneratedFile): Promise<Download> => ({
  fileName,
  mediaType: mediaTypeOf(fileName),
  bytes: (await file.stat()).size,
  content: file.createReadStream(),
})

/** A file of `bytes` as a reply, read while it is sent. */
export const storedDownload = ({ content, ...file }: StoredFile): Download => ({
  ...file,
  mediaType: mediaTypeOf(file.fileName),
  content: Readable.from(content),
})

/** Of a workbook or a CSV file, by the ending of its name. */
const mediaTypeOf = (fileName: string): string => (fileKindOf(fileName) === 'csv' ? CSV : WORKBOOK)

/** A CSV file that is written while it is sent. */
export const csvDownload = (fileName: string, content: AsyncIterable<string>): Download => ({
  fileName,
  mediaType: `${CSV}; charset=utf-8`,
  content: Readable.from(content),
})

/** Sends a file that browsers save and never display. */
export function sendDownload(
  reply: FastifyReply,
  { fileName, mediaType, content, bytes }: Download,
): FastifyReply {
  reply.header('Content-Type', mediaType).header('Content-Disposition', contentDisposition(fileName))
  if (bytes !== undefined) reply.header('Content-Length', bytes)
  // Fastify would read all of it after the response to a HEAD, which has given its place back by then.
  if (reply.request.method === 'HEAD' && content instanceof Readable) {
    content.destroy()
    return reply.send(Readable.from([]))
  }
  return reply.send(
    content instanceof Uint8Array
      ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
      : content,
  )
}

/** Large files take minutes, small ones less than a second. */
const RETRY_SECONDS = 5

/**
 * Takes one of the caller's places until the response has ended and the file is made, also without the
 * client: else repeated requests could have any number made. Returns what to call then. Throws 429.
 */
export function beginDownload(
  person: string,
  { raw }: FastifyReply,
  { limits }: Pick<Deps, 'limits'>,
): () => void {
  const giveBack = limits.downloads.tryEnter(person)
  if (giveBack === null)
    throw tooManyRequests(RETRY_SECONDS, noticeMessages.tooManyDownloads(downloadLimits.perPerson))
  let pending = 2
  const done = () => {
    if (--pending === 0) giveBack()
  }
  whenClosed(raw, done)
  return done
}

/** Names it in ASCII and UTF-8 (RFC 6266, RFC 8187). No character can end the header or add a parameter. */
export function contentDisposition(fileName: string): string {
  const oneLine = fileName.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')
  const ascii = oneLine.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  const encoded = encodeURIComponent(oneLine).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
