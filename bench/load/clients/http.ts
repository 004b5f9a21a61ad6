import { Agent, request } from 'node:http'
import type { Readable } from 'node:stream'

export type Target = { address: string; apiKey: string }

export type Clerk = { userId: number; token: string }

export const headersOf = ({ apiKey }: Target, { token }: Clerk): Record<string, string> => ({
  ApiKey: apiKey,
  Authorization: `Bearer ${token}`,
})

/** Reports to the parent that a step is done, and waits for its next message, which it returns. */
export type Step = <T = void>() => Promise<T>

/** `status` is 0 without a response. */
export type Response = { status: number; body: string }

type Call = {
  method?: string
  headers: Record<string, string>
  agent?: Agent
  body?: Buffer | Readable
}

/** Never throws. */
export function call(url: string, { method = 'GET', headers, agent, body }: Call): Promise<Response> {
  return new Promise((resolve) => {
    const failed = () => resolve({ status: 0, body: '' })
    const sent = request(url, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', failed)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      )
    })
    sent.on('error', failed)
    if (body === undefined || Buffer.isBuffer(body)) sent.end(body)
    else body.pipe(sent)
  })
}

/** Connections that stay open, as those of a browser. */
export const keepAliveAgent = (): Agent => new Agent({ keepAlive: true })

/** The time of the machine in milliseconds, to compare with other processes; more exact than `Date.now()`. */
export const clockTime = (): number => performance.timeOrigin + performance.now()
