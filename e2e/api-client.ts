import { configPath } from '@veridict/contract/api/config'
import { listSubmissions, uploadSubmission, type SubmissionItem } from '@veridict/contract/api/submissions'
import { logIn } from '@veridict/contract/api/session'
import { readErrorReport, type ErrorReport } from '@veridict/contract/api/submission-errors'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled } from '@veridict/contract/model/submission-status'

/** A clerk without a browser, for journeys that do not test the screen. */
export type ApiClient = {
  /** The id of the dictionary with this name. */
  dictionary(name: string): Promise<number>
  /** The response: status, and `value` or the refusal. */
  upload(
    file: { name: string; bytes: Uint8Array; type?: string },
    dictionaryId: number,
  ): Promise<{ status: number; body: UploadBody }>
  submission(id: number): Promise<SubmissionItem>
  /** Waits until all jobs of the submission are done. */
  settled(id: number, withinMilliseconds?: number): Promise<SubmissionItem>
  /** Waits until all jobs of all submissions are done. */
  allSettled(): Promise<void>
  errors(id: number): Promise<ErrorReport>
}

type UploadBody = { value?: { id: number }; message?: string; errors?: Record<string, string[]> }

/** Logs in at the portal. */
export async function apiClient(url: string, email: string, password = 'Veridict#2026'): Promise<ApiClient> {
  const { apiKey } = (await (await fetch(url + configPath)).json()) as { apiKey: string }
  const headers: Record<string, string> = { ApiKey: apiKey }
  const session = (await json(url + logIn.path, { method: 'POST', headers, body: { email, password } })) as {
    value: { userTokens: { accessToken: string } }
  }
  headers.Authorization = `Bearer ${session.value.userTokens.accessToken}`

  const submissions = async () => {
    const page = (await json(`${url}${listSubmissions.path}?PageSize=1000`, { headers })) as {
      value: { data: SubmissionItem[] }
    }
    return page.value.data
  }
  const submission = async (id: number) => {
    const found = (await submissions()).find((item) => item.id === id)
    if (!found) throw new Error(`The history does not show submission ${id}.`)
    return found
  }
  const settled = async (id: number, withinMilliseconds = 60_000) => {
    const deadline = Date.now() + withinMilliseconds
    for (;;) {
      const item = await submission(id).catch((error: unknown) => {
        if (Date.now() > deadline) throw error
        return null
      })
      if (item && isSettled(item.status)) return item
      if (Date.now() > deadline) throw new Error(`Submission ${id} is still in status ${item?.status}.`)
      await sleep(100)
    }
  }
  return {
    submission,
    settled,
    async allSettled() {
      for (const { id } of await submissions()) await settled(id)
    },
    async dictionary(name) {
      const list = (await json(`${url}/api/DataDictionary/GetListForSelection`, { headers })) as {
        value: { id: number; name: string }[]
      }
      return list.value.find((item) => item.name === name)!.id
    },
    async upload({ name, bytes, type = 'text/csv' }, dictionaryId) {
      const body = new FormData()
      body.set('dataDictionaryId', String(dictionaryId))
      body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name)
      const response = await fetch(url + uploadSubmission.path, { method: 'POST', headers, body })
      return { status: response.status, body: (await response.json()) as UploadBody }
    },
    async errors(id) {
      return (
        (await json(url + readErrorReport.path.replace(':id', String(id)), { headers })) as {
          value: ErrorReport
        }
      ).value
    },
  }
}

async function json(
  url: string,
  { method = 'GET', headers, body }: { method?: string; headers: Record<string, string>; body?: object },
): Promise<unknown> {
  const init = body
    ? { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : { method, headers }
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${await response.text()}`)
  return response.json()
}
