export type Target = { address: string; apiKey: string }

export type Clerk = { userId: number; token: string }

/** Reports to the parent that a step is done, and waits for its next message, which it returns. */
export type Step = <T = void>() => Promise<T>

/** `status` is 0 without a response. */
export type Response = { status: number; body: string }

/** Never throws. Connections stay open, as those of a browser. */
export async function call({ address, apiKey }: Target, { token }: Clerk, path: string, form?: FormData) {
  // A server that compresses takes other times.
  const headers = { ApiKey: apiKey, Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' }
  try {
    const response = await fetch(`${address}${path}`, {
      method: form === undefined ? 'GET' : 'POST',
      headers,
      body: form,
    })
    return { status: response.status, body: await response.text() }
  } catch {
    return { status: 0, body: '' }
  }
}

/** The time of the machine in milliseconds, to compare with other processes; more exact than `Date.now()`. */
export const clockTime = (): number => performance.timeOrigin + performance.now()

/** Does work for each number below `count`, for so many at once. Returns the results as they come. */
export async function inLanes<T>(count: number, atOnce: number, work: (number: number) => Promise<T>) {
  const results: T[] = []
  let next = 0
  const oneByOne = async () => {
    while (next < count) results.push(await work(next++))
  }
  await Promise.all(Array.from({ length: atOnce }, oneByOne))
  return results
}
