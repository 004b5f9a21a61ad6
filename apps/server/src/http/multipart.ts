import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, badRequest, tooLarge } from '#errors.ts'

const KIB = 1024

/** Largest accepted file of an upload, in bytes, and the sentence that refuses a larger one. */
export type FileLimit = { maxBytes: number; message: string }

/**
 * One part of an upload, in the order in which they came. A file's `content` must be read to its end before
 * the next part comes; it fails with 413 when the file is too large and with 400 when the upload breaks off.
 */
export type UploadPart =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; fileName: string; mediaType: string; content: AsyncGenerator<Uint8Array> }

/** Guards against forms made to exhaust us: more than a real form ever has. */
const limits = {
  files: 1,
  fields: 10,
  parts: 11,
  fieldNameSize: 100,
  fieldSize: 10 * KIB,
  headerPairs: 20,
} as const

/**
 * The parts of a multipart request, streamed: nothing of the file is kept in memory. Parts may come in any
 * order. Throws AppError 400 for what is not a well-formed form with one file at most; Fastify's own refusal
 * (415) for what is no form.
 */
export async function* uploadParts(request: FastifyRequest, file: FileLimit): AsyncGenerator<UploadPart> {
  if (Number(request.headers['content-length'] ?? 0) > file.maxBytes + limits.parts * 2 * limits.fieldSize)
    throw tooLarge(file.message)
  try {
    // One byte more than allowed passes busboy, so that the counting below sees a file that is too large.
    for await (const part of request.parts({ limits: { ...limits, fileSize: file.maxBytes + 1 } })) {
      yield part.type === 'file' ? filePart(part, file) : fieldPart(part)
    }
  } catch (error) {
    throw asRefusal(error)
  }
}

function fieldPart(part: MultipartValue): UploadPart {
  if (typeof part.value !== 'string' || part.valueTruncated || part.fieldnameTruncated)
    throw badRequest(uploadMessages.malformed)
  return { kind: 'field', name: part.fieldname, value: part.value }
}

function filePart(part: MultipartFile, limit: FileLimit): UploadPart {
  // Unheard by a reader who refused the file unread, its error would end the process.
  part.file.on('error', () => {})
  const fileName = unescaped(part.filename ?? '')
  return {
    kind: 'file',
    name: part.fieldname,
    fileName,
    mediaType: part.mimetype,
    content: bounded(part.file, limit),
  }
}

const escaped: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/**
 * Browsers write these three characters of a name so, and no others (HTML, "multipart/form-data encoding
 * algorithm").
 */
const unescaped = (fileName: string): string =>
  fileName.replaceAll(/%(?:22|0D|0A)/g, (escape) => escaped[escape])

/**
 * The bytes of a file, counted. Not a stream of our own: one that fails before anybody reads it ends the
 * process, and one that is piped into never learns that its source was destroyed.
 */
async function* bounded(file: Readable, { maxBytes, message }: FileLimit): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of file as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(message)
      yield chunk
    }
  } catch (error) {
    throw asRefusal(error)
  }
}

/**
 * Nobody but the form's parser fails where this is asked. All its complaints are malformed uploads, save that
 * of a second file and that of a body which is no form at all (415, `error-reply`).
 */
function asRefusal(error: unknown): Error {
  if (error instanceof AppError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return error as Error
  return badRequest(code === 'FST_FILES_LIMIT' ? uploadMessages.oneFileOnly : uploadMessages.malformed)
}

/**
 * How much and how long the rest of a refused body is still read, so that the sender gets to see the refusal
 * and not a broken line.
 */
const LINGER_BYTES = 64 * 1024 * KIB
const LINGER_MILLISECONDS = 5_000

/**
 * After an early answer, says goodbye and goes on reading for a moment (as nginx' lingering close): hanging
 * up at once would make the sender's system throw the answer away. Then the line is cut, however much is
 * still to come.
 */
export function closeAfterRefusal(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  const { socket } = raw
  // Requests that tests inject have no socket, and nobody to say goodbye to.
  if (raw.complete || raw.destroyed || !(socket instanceof Socket)) return
  let left = LINGER_BYTES
  // Fastify's own refusal of a body would have Node hang up with the last byte of the answer.
  reply.removeHeader('connection')
  raw.unpipe()
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) raw.destroy()
  })
  const timer = setTimeout(() => raw.destroy(), LINGER_MILLISECONDS).unref()
  raw.once('close', () => clearTimeout(timer))
  reply.raw.once('finish', () => raw.complete || socket.end())
}
