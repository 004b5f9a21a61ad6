import { describe, expect, it } from 'vitest'
import { QuotaGate } from '#platform/admission/quota-gate.ts'

/** A gate in front of a store that notices what it holds only when work is done. */
function gateWith(quota: number) {
  const gate = new QuotaGate()
  const store = { held: 0, reads: 0, atOnce: 0, most: 0 }
  const add = (amount: number, key = 'a', fails = false) =>
    gate.run(key, {
      amount,
      quota,
      async readUsed() {
        store.reads++
        return store.held
      },
      refusal: () => new Error('full'),
      async work() {
        store.most = Math.max(store.most, ++store.atOnce)
        await new Promise((resolve) => setImmediate(resolve))
        store.atOnce--
        if (fails) throw new Error('broken')
        store.held += amount
        return amount
      },
    })
  return { store, add }
}

describe('A quota gate', () => {
  it('admits at once exactly as many as fit, however many come together', async () => {
    const { store, add } = gateWith(10)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => add(3)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(store.held).toBe(9)
    expect(await add(1)).toBe(1)
    await expect(add(1)).rejects.toThrow('full')
  })

  it('reads once, and works in parallel, while the quota is far', async () => {
    const { store, add } = gateWith(1000)
    await Promise.all(Array.from({ length: 50 }, () => add(10)))
    expect(store).toMatchObject({ held: 500, reads: 1, most: 50 })
  })

  it('does not count work that failed, and sees what was freed', async () => {
    const { store, add } = gateWith(10)
    await expect(add(10, 'a', true)).rejects.toThrow('broken')
    expect(await add(10)).toBe(10)
    await expect(add(1)).rejects.toThrow('full')
    store.held = 5
    expect(await add(5)).toBe(5)
  })
})
