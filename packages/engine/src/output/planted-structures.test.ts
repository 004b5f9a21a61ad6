import { describe, expect, it } from 'vitest'
import { measureStructures } from '../../test/planted-structures.ts'

describe('Planted faults of the structure', () => {
  it('are corrected, also two of them, and nothing is changed in the controls', async () => {
    const wrong = [...(await measureStructures(1))].filter(([, { planted, right }]) => right < planted)
    expect(wrong.map(([name]) => name)).toEqual([])
  })
})
