import { describe, expect, it } from 'vitest'
import { printable } from '#print/print.ts'

describe('Text of a file on a terminal', () => {
  it.for([
    { why: 'colours and bells', text: '\u001b[31mred\u0007\u009b', shown: '\\x1b[31mred\\x07\\x9b' },
    { why: 'ends of lines', text: 'a\r\nb\tc', shown: 'a\\r\\nb\\tc' },
    { why: 'separators of lines', text: 'a\u2028b\u2029', shown: 'a\\u2028b\\u2029' },
    { why: 'signs that turn what follows', text: 'a\u202eb\u2066c\u200f', shown: 'a\\u202eb\\u2066c\\u200f' },
    { why: 'invisible signs', text: 'Open\u200b\ufeff', shown: 'Open\\u200b\\ufeff' },
    { why: 'letters of any script, and joined emoji', text: 'Zürich שלום 👩‍🚀', shown: 'Zürich שלום 👩‍🚀' },
  ])('shows $why', ({ text, shown }) => {
    expect(printable(text)).toBe(shown)
  })
})
