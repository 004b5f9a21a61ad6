import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FileLimit } from '@veridict/contract/api/endpoint'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, badRequest, tooLarge } from '#errors.ts'
import type { UploadPart } from '#platform/storage/receive-upload.ts'

const KIB = 1024

/** More than a real form ever has, against forms made to exhaust the server. */
const limits = {
  files: 1,
  fields: 10,
  parts: 11,
  fieldNameSize: 100,
  fieldSize: 10 * KIB,
  headerPairs: 20,
} as const

/** Streamed in order. Throws 400 for a malformed form, two files or equal names, 415 if it is no form. */
export async function* uploadParts(request: FastifyRequest, file: FileLimit): AsyncGenerator<UploadPart> {
  if (Number(request.headers['content-length'] ?? 0) > file.maxBytes + limits.parts * 2 * limits.fieldSize)
    throw tooLarge(file.message)
  const names = new Set<string>()
  try {
    // busboy lets one byte more pass, so that `bounded` sees a file that is too large.
    for await (const part of request.parts({ limits: { ...limits, fileSize: file.maxBytes + 1 } })) {
      checkName(part, names)
      yield part.type === 'file' ? filePart(part, file) : fieldPart(part)
    }
  } catch (error) {
    throw asRefusal(error)
  }
}

/** busboy neither cuts a long name nor minds an empty one, and of two fields of a name one would be lost. */
function checkName(part: MultipartValue | MultipartFile, names: Set<string>): void {
  const { fieldname } = part
  if (fieldname !== '' && fieldname.length <= limits.fieldNameSize && !names.has(fieldname)) {
    names.add(fieldname)
    return
  }
  // Without a listener, the error of a file that is refused unread would end the process.
  if (part.type === 'file') part.file.on('error', () => {})
  throw badRequest(uploadMessages.malformed)
}

function fieldPart(part: MultipartValue): UploadPart {
  if (typeof part.value !== 'string' || part.valueTruncated) throw badRequest(uploadMessages.malformed)
  return { kind: 'field', name: part.fieldname, value: part.value }
}

function filePart(part: MultipartFile, limit: FileLimit): UploadPart {
  // Without a listener, its error would end the process after the file was refused unread.
  part.file.on('error', () => {})
  const fileName = unescaped(part.filename ?? '')
  return { kind: 'file', name: part.fieldname, fileName, content: bounded(part.file, limit) }
}

const escaped: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/** The three characters that browsers escape (HTML, "multipart/form-data encoding algorithm"). */
const unescaped = (fileName: string): string =>
  fileName.replaceAll(/%(?:22|0D|0A)/g, (escape) => escaped[escape])

/** No stream: one that fails unread ends the process; a piped one does not notice its source's end. */
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

/** Refuses a malformed upload or a second file; what is no form gets 415, which `error-reply` handles. */
function asRefusal(error: unknown): Error {
  if (error instanceof AppError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return error as Error
  return badRequest(code === 'FST_FILES_LIMIT' ? uploadMessages.oneFileOnly : uploadMessages.malformed)
}

/** How much and how long we read on after a refusal, so that the client receives it. */
const LINGER_BYTES = 64 * 1024 * KIB
const LINGER_MILLISECONDS = 5_000

/**
 * Closes our side and reads on for a moment (nginx: lingering close): closing at once would make the client's
 * system discard the early reply. Then it closes, whatever is left.
 */
export function closeAfterRefusal(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  const { socket } = raw
  // Requests that tests inject have no socket.
  if (raw.complete || raw.destroyed || !(socket instanceof Socket)) return
  let left = LINGER_BYTES
  // With this header of Fastify's refusal, Node would close with the last byte of the reply.
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
