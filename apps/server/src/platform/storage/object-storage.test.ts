import { describe, expect, it } from 'vitest'
import { createObjectStorage, type LocalMachine } from '#platform/storage/object-storage.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'

const unused = () => {
  throw new Error('not used')
}
const noMachine: LocalMachine = { receive: unused, remove: unused, sweep: unused, uuid: unused }
const failure = Object.assign(new Error('busy'), { $metadata: { httpStatusCode: 500 } })

/** Lists three objects; `fails` says before which of them each attempt fails. */
function storeThatFails(fails: readonly (number | null)[]): ObjectStore {
  let attempt = 0
  return {
    has: unused,
    get: unused,
    create: unused,
    delete: unused,
    async *list() {
      const at = fails[attempt++] ?? null
      for (const [index, key] of ['a', 'b', 'c'].entries()) {
        if (index === at) throw failure
        yield { key, modifiedAt: new Date(0) }
      }
    },
  }
}

describe('Listing an object store', () => {
  it.for([
    { fails: [null], listed: ['a', 'b', 'c'], error: undefined },
    { fails: [0, 0, null], listed: ['a', 'b', 'c'], error: undefined },
    { fails: [0, 0, 0], listed: [], error: 'EIO' },
    { fails: [0, 2], listed: ['a', 'b'], error: 'EIO' },
  ])('with failures before object $fails lists $listed', async ({ fails, listed, error }) => {
    const found: string[] = []
    const list = async () => {
      const storage = createObjectStorage(storeThatFails(fails), '', noMachine)
      for await (const path of storage.list('companies', new Date())) found.push(path)
    }
    const code = await list().catch((thrown: unknown) => (thrown as { code?: string }).code)
    expect([found, code]).toEqual([listed, error])
  })
})
