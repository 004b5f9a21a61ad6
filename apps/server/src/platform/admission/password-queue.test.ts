import { expect, it } from 'vitest'
import { createPasswordQueue, type PasswordCaller } from '#platform/admission/password-queue.ts'
import type { AppError } from '#errors.ts'

/** A queue whose work ends when the test ends it; `started` has what began, `refused` what got a 429. */
function openQueue() {
  const queue = createPasswordQueue({ threads: 1 })
  const started: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const add = (name: string, caller: Partial<PasswordCaller>) =>
    void queue
      .run({ address: '192.0.2.1', known: null, ...caller }, async () => {
        started.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
      })
      .catch((error: AppError) => error.status === 429 && refused.push(name))
  const finishOne = async () => {
    ends.shift()?.()
    await settle()
  }
  return { add, started, refused, finishOne }
}
const browser = (userId: number, browserId = 'a') => ({ userId, browserId })
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('A login from a known browser begins at once, while logins from many addresses wait', async () => {
  const { add, started } = openQueue()
  for (let address = 0; address < 250; address++) add('flood', { address: `198.51.100.${address}` })
  add('known', { address: '198.51.100.1', known: browser(7) })
  await settle()
  expect(started).toEqual(['flood', 'flood', 'known'])
})

it('Known users have as many threads as others, and all clerks of an office may wait at once', async () => {
  const { add, started, refused } = openQueue()
  for (let user = 1; user <= 200; user++) add('clerk', { known: browser(user) })
  await settle()
  expect(started).toEqual(['clerk', 'clerk'])
  expect(refused).toEqual([])
})

it('Many logins from known browsers of one user let those of others have their turn', async () => {
  const { add, started, finishOne } = openQueue()
  for (let login = 0; login < 40; login++) add('flood', { known: browser(7) })
  add('other', { known: browser(8) })
  await settle()
  await finishOne()
  await finishOne()
  expect(started).toEqual(['flood', 'flood', 'flood', 'other'])
})

it('Many logins from a browser of a user let those of her other browsers have their turn', async () => {
  const { add, started, refused, finishOne } = openQueue()
  for (let login = 0; login < 600; login++) add('former', { known: browser(7, 'former') })
  add('own', { known: browser(7, 'own') })
  await settle()
  await finishOne()
  await finishOne()
  expect(started).toEqual(['former', 'former', 'former', 'own'])
  expect(new Set(refused)).toEqual(new Set(['former']))
})

it('Logins from all networks of one customer of a provider get the turns of one address', async () => {
  const { add, started, refused, finishOne } = openQueue()
  for (let network = 0; network < 40; network++)
    add('flood', { address: `2001:db8:1:${network.toString(16)}::/64` })
  add('other', { address: '2001:db8:2:1::/64' })
  await settle()
  expect(new Set(refused)).toEqual(new Set(['flood']))
  await finishOne()
  await finishOne()
  expect(started).toEqual(['flood', 'flood', 'flood', 'other'])
})
