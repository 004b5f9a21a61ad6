import { describe, expect, it } from 'vitest'
import { maxInteger } from '#notation/id.ts'
import { chosenId, id } from './endpoint.ts'

const JAVASCRIPT_WOULD = 'JavaScript would take it for a number'

describe('An id', () => {
  it.for([
    { given: 7, is: 7, why: 'a JSON number' },
    { given: '7', is: 7, why: 'digits, as in an address' },
    { given: '007', is: 7, why: 'leading zeros are digits too' },
    { given: maxInteger, is: maxInteger, why: 'the largest' },
    { given: String(maxInteger + 1), is: null, why: 'one above' },
    { given: 0, is: null, why: 'ids begin at 1' },
    { given: '-1', is: null, why: 'no sign' },
    { given: 1.5, is: null, why: 'whole' },
    { given: '0x1', is: null, why: JAVASCRIPT_WOULD },
    { given: '1e0', is: null, why: JAVASCRIPT_WOULD },
    { given: ' 1', is: null, why: JAVASCRIPT_WOULD },
    { given: '1\n', is: null, why: JAVASCRIPT_WOULD },
    { given: '1.0', is: null, why: JAVASCRIPT_WOULD },
    { given: true, is: null, why: JAVASCRIPT_WOULD },
    { given: ['1'], is: null, why: JAVASCRIPT_WOULD },
    { given: '٧', is: null, why: 'decimal digits of ASCII only' },
    { given: '', is: null, why: 'nothing is no id' },
    { given: undefined, is: null, why: 'nothing is no id' },
  ])('$given: $why', ({ given, is }) => expect(id.safeParse(given).data ?? null).toBe(is))

  it.for([undefined, '', '0', 'x'])('that is to be chosen says what is missing: %s', (given) => {
    expect(
      chosenId('Please choose.')
        .safeParse(given)
        .error?.issues.map(({ message }) => message),
    ).toEqual(['Please choose.'])
  })
})
