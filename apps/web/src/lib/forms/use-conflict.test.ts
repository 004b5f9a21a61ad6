import { describe, expect, it } from 'vitest'
import { mergeEdits } from './use-conflict.tsx'

const base = { name: 'Claims', address: 'Main Street 1' }

describe('Merging what was typed with what another user saved', () => {
  it.for([
    {
      why: 'takes a value that only they changed',
      typed: base,
      saved: { ...base, name: 'Theirs' },
      values: { ...base, name: 'Theirs' },
      conflicting: [],
    },
    {
      why: 'keeps a value that only I changed',
      typed: { ...base, name: 'Mine' },
      saved: base,
      values: { ...base, name: 'Mine' },
      conflicting: [],
    },
    {
      why: 'keeps both changes when they are of different values',
      typed: { ...base, name: 'Mine' },
      saved: { ...base, address: 'Theirs' },
      values: { name: 'Mine', address: 'Theirs' },
      conflicting: [],
    },
    {
      why: 'keeps the typed value when both changed the same one, and reports it',
      typed: { ...base, name: 'Mine' },
      saved: { ...base, name: 'Theirs' },
      values: { ...base, name: 'Mine' },
      conflicting: ['name'],
    },
    {
      why: 'reports nothing when both typed the same',
      typed: { ...base, name: 'Ours' },
      saved: { ...base, name: 'Ours' },
      values: { ...base, name: 'Ours' },
      conflicting: [],
    },
    {
      why: 'keeps a value that I emptied, and reports it',
      typed: { ...base, name: '' },
      saved: { ...base, name: 'Theirs' },
      values: { ...base, name: '' },
      conflicting: ['name'],
    },
  ])('$why', ({ typed, saved, values, conflicting }) =>
    expect(mergeEdits(base, typed, saved)).toEqual({ values, conflicting }),
  )
})
