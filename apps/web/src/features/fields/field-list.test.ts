import { expect, it } from 'vitest'
import { hasText, textParts } from './field-list.tsx'

it.for([
  { text: 'Date of birth', search: 'DATE', hits: ['Date'], why: 'case is ignored' },
  { text: 'aXbXc', search: 'x', hits: ['X', 'X'], why: 'every match is marked' },
  { text: 'a.b', search: '.', hits: ['.'], why: 'characters of regular expressions are plain text' },
  { text: 'a(b', search: '(', hits: ['('], why: 'an unpaired bracket is plain text' },
  { text: 'Größe', search: 'GRÖSSE', hits: [], why: 'ß is not ss' },
  { text: 'abc', search: '', hits: [], why: 'an empty search marks nothing' },
])('$why', ({ text, search, hits }) => {
  const parts = textParts(text, search)
  expect(parts.filter(({ isHit }) => isHit).map(({ part }) => part)).toEqual(hits)
  expect(parts.map(({ part }) => part).join('')).toBe(text)
  expect(hasText(text, search)).toBe(hits.length > 0 || search === '')
})
