import { describe, expect, it } from 'vitest'
import { mergeEdits } from './merge-edits.ts'

const seen = { name: 'Claims', address: 'Main Street 1' }

describe('What was typed and what someone else saved', () => {
  it.for([
    {
      why: 'theirs alone',
      typed: seen,
      present: { ...seen, name: 'Theirs' },
      values: { ...seen, name: 'Theirs' },
      contested: [],
    },
    {
      why: 'mine alone',
      typed: { ...seen, name: 'Mine' },
      present: seen,
      values: { ...seen, name: 'Mine' },
      contested: [],
    },
    {
      why: 'different values come together',
      typed: { ...seen, name: 'Mine' },
      present: { ...seen, address: 'Theirs' },
      values: { name: 'Mine', address: 'Theirs' },
      contested: [],
    },
    {
      why: 'the same value: what was typed stays, and is told',
      typed: { ...seen, name: 'Mine' },
      present: { ...seen, name: 'Theirs' },
      values: { ...seen, name: 'Mine' },
      contested: ['name'],
    },
    {
      why: 'both the same',
      typed: { ...seen, name: 'Ours' },
      present: { ...seen, name: 'Ours' },
      values: { ...seen, name: 'Ours' },
      contested: [],
    },
    {
      why: 'mine emptied',
      typed: { ...seen, name: '' },
      present: { ...seen, name: 'Theirs' },
      values: { ...seen, name: '' },
      contested: ['name'],
    },
  ])('$why', ({ typed, present, values, contested }) =>
    expect(mergeEdits(seen, typed, present)).toEqual({ values, contested }),
  )
})
