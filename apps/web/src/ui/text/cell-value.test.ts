import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visibleParts } from './cell-value.tsx'

/** The text as it is read: signs in place of what is not seen. */
const shown = (text: string) =>
  visibleParts(text)
    .map(({ part, sign }) => sign ?? part)
    .join('')

it.for([
  { text: 'New York', as: 'New York', why: 'a single space between words is a space' },
  { text: ' New York', as: '·New York', why: 'a space at the beginning' },
  { text: 'New York  ', as: 'New York··', why: 'spaces at the end, one sign for each' },
  { text: 'New  York', as: 'New··York', why: 'two spaces between words' },
  { text: '  ', as: '··', why: 'nothing but spaces' },
  { text: ' ', as: '·', why: 'a single space alone' },
  { text: 'New\u00a0York', as: 'New⍽York', why: 'a no-break space' },
  { text: 'a\tb', as: 'a→b', why: 'a tab' },
  { text: 'a\r\nb\nc', as: 'a↵b↵c', why: 'line breaks of both kinds' },
  { text: 'a\u200bb\ufeff', as: 'a▯b▯', why: 'characters without a width' },
  { text: '\u200fשלום', as: '▯שלום', why: 'a mark of direction; letters of any script stay' },
  { text: 'a\u2003b', as: 'a·b', why: 'an em space' },
  { text: '👩‍🔬', as: '👩‍🔬', why: 'an emoji of several parts as one' },
  { text: 'a\u200db', as: 'a▯b', why: 'a joiner between letters that it does not join' },
  { text: 'a\u0007b', as: 'a�b', why: 'a control character' },
  { text: '', as: '', why: 'nothing' },
])('shows $why', ({ text, as }) => expect(shown(text)).toBe(as))

it('keeps every character of a text', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'ש', ' ', '\t', '\u00a0', '\r', '\n', '\u200b', '\u200d'),
  })
  fc.assert(
    fc.property(texts, (text) => {
      const kept = visibleParts(text).map(({ part }) => part)
      expect(kept.join('')).toBe(text)
    }),
  )
})
