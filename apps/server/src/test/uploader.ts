import { expect } from 'vitest'
import type { Db, UserRow } from '#platform/database/tables.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { buildAccessToken, buildDictionary, buildUser, type BuiltField } from '#test/factories.ts'
import { testSecrets } from '#test/test-secrets.ts'
import { uploadForm } from '#test/upload-form.ts'

export type UploadOptions = { headers?: Record<string, string>; signal?: AbortSignal }

/** A clerk who is logged in and has a dictionary to upload files for. */
export type Uploader = {
  clerk: UserRow
  token: string
  dictionaryId: number
  /** Every call of the clerk needs these. */
  headers: { ApiKey: string; authorization: string }
  /** Sends a file to the portal at `address` and returns the response. */
  send(
    portal: { address: string },
    fileName: string,
    content: string | Uint8Array,
    options?: UploadOptions,
  ): Promise<Response>
  /** Sends a file that is accepted; returns the id of its submission. */
  upload(...file: Parameters<Uploader['send']>): Promise<number>
}

/** By default the dictionary has the fields of `buildDictionary`. */
export async function buildUploader(
  db: Db,
  given: { fields?: readonly BuiltField[] } = {},
): Promise<Uploader> {
  const clerk = await buildUser(db)
  const dictionary = await buildDictionary(db, { ...given, companyId: clerk.companyId ?? 0 })
  const dictionaryId = dictionary.id
  const tokens = createTokens({ ...testSecrets, accessTokenMinutes: 60 })
  const token = await buildAccessToken({ db, tokens }, clerk)
  const headers = { ApiKey: testSecrets.apiKey, authorization: `Bearer ${token}` }

  const send: Uploader['send'] = async ({ address }, fileName, content, options = {}) => {
    const form = await uploadForm(['dataDictionaryId', String(dictionaryId)], ['file', content, fileName])
    return fetch(`${address}/api/FileSubmission`, {
      method: 'POST',
      ...options,
      headers: { ...headers, ...form.headers, ...options.headers },
      body: new Uint8Array(form.body),
    })
  }
  return {
    clerk,
    token,
    dictionaryId,
    headers,
    send,
    async upload(...file) {
      const response = await send(...file)
      expect(response.status).toBe(202)
      return ((await response.json()) as { value: { id: number } }).value.id
    },
  }
}
