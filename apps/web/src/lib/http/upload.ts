import { uploadStopHeader } from '@veridict/contract/api/config'
import type { Endpoint, ReplyOf } from '@veridict/contract/api/endpoint'
import { createStore } from '#lib/store.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { CallFailure } from './call-failure.ts'
import { callHeaders, endSessionOn401, noteUploadStop, valueOf } from './client.ts'

/** Whether a file is being uploaded. Leaving the screen and logging out then ask first. */
export const isUploading = createStore(false)

export type UploadInput = {
  file: File
  /** The other parts of the form, sent before the file: the server can refuse without reading the file. */
  fields: Record<string, string>
  /** Percent sent, 0 to 100. */
  onProgress: (percent: number) => void
  signal: AbortSignal
}

/**
 * Sends a multipart form and returns the `value` of the response. Uses XMLHttpRequest, because fetch reports
 * no upload progress. Throws a CallFailure; status 0 means a lost connection or a file that changed on disk.
 */
export async function upload<E extends Endpoint>(endpoint: E, input: UploadInput): Promise<ReplyOf<E>> {
  isUploading.set(true)
  try {
    const token = tokenStore.read()?.token ?? null
    const { status, body } = await sendForm(endpoint, input, await callHeaders(token))
    if (status < 200 || status > 299)
      throw endSessionOn401(new CallFailure(status, endpoint.path, body), token)
    return valueOf(endpoint, body)
  } finally {
    isUploading.set(false)
  }
}

function sendForm(
  endpoint: Endpoint,
  { file, fields, onProgress, signal }: UploadInput,
  headers: Record<string, string>,
) {
  return new Promise<{ status: number; body: unknown }>((resolve) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', file)
    const request = new XMLHttpRequest()
    request.open(endpoint.method, endpoint.path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : Math.floor((loaded / total) * 100)),
    )
    request.addEventListener('loadend', () => {
      noteUploadStop(request.getResponseHeader(uploadStopHeader), false)
      resolve({ status: request.status, body: parsed(request.responseText) })
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
