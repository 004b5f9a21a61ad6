import { request } from 'node:http'
import { uploadForm } from '#test/upload-form.ts'

export const apiKey = 'chaos-test-key'

/** Runs `act` after a share of the body (`at`, from 0 to 1) was sent, and before the rest is sent. */
export type Cut = { at: number; act(): Promise<void> }
export type UploadRequest = {
  address: string
  token: string
  dictionaryId: number
  fileName: string
  bytes: Uint8Array
}

/** Uploads a file. Returns its id; null if it was refused, or the server was killed before its response. */
export async function sendUpload(upload: UploadRequest, cut?: Cut): Promise<number | null> {
  const { address, token, dictionaryId, fileName, bytes } = upload
  const form = await uploadForm(['dataDictionaryId', String(dictionaryId)], ['file', bytes, fileName])
  const headers = {
    ApiKey: apiKey,
    authorization: `Bearer ${token}`,
    'content-length': form.body.length,
    ...form.headers,
  }
  return new Promise((resolve) => {
    const url = `${address}/api/FileSubmission`
    const call = request(url, { method: 'POST', headers, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', () => resolve(null))
      reply.on('end', () => {
        const isAccepted = reply.complete && reply.statusCode === 202
        resolve(isAccepted ? JSON.parse(Buffer.concat(chunks).toString()).value.id : null)
      })
    })
    call.on('error', () => resolve(null))
    call.on('close', () => resolve(null))
    if (cut === undefined) return void call.end(form.body)
    const at = Math.round(cut.at * form.body.length)
    const actAndSendRest = async () => {
      await cut.act()
      call.end(form.body.subarray(at))
    }
    call.write(form.body.subarray(0, at), () => void actAndSendRest())
  })
}
