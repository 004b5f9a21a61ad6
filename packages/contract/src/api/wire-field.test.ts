import { describe, expect, it } from 'vitest'
import { fieldMessages as messages } from '#messages/fields.ts'
import { everyField } from '#test/every-field.ts'
import { checkWireField } from './check-wire-field.ts'
import { fieldFromReply, fieldFromWire, fieldToBody, fieldToWire } from './wire-field.ts'

describe('A field on the wire', () => {
  it.for(everyField)('comes back as it was: $rule.type', (field) => {
    expect(fieldFromWire(fieldToWire(field))).toEqual(field)
    expect(fieldFromWire(fieldToBody(field))).toEqual(field)
    const { itemName: columnName, ruleConfig: ruleConfigJson, ...reply } = fieldToBody(field)
    expect(fieldFromReply({ ...reply, columnName, ruleConfigJson })).toEqual(field)
    expect(checkWireField(fieldToBody(field))).toEqual({ ok: true, field })
  })

  it.for([
    { rule: { type: 'text', maxLength: 3 }, ruleType: 0, ruleConfig: { maxLength: 3 } },
    { rule: { type: 'number', minimum: 0, scale: 2 }, ruleType: 1, ruleConfig: { scale: 2, min: 0 } },
    { rule: { type: 'date', format: 'd.M.yy' }, ruleType: 2, ruleConfig: { format: 'd.M.yy' } },
    { rule: { type: 'pattern', pattern: 'a+' }, ruleType: 3, ruleConfig: { regularExpression: 'a+' } },
    { rule: { type: 'list', options: ['a'] }, ruleType: 4, ruleConfig: { optionSetValues: ['a'] } },
  ] as const)('has the names of the wire: $rule', ({ rule, ...wire }) =>
    expect(fieldToWire({ ...everyField[0], rule })).toMatchObject(wire),
  )

  it('has no bound where null stands', () => {
    const ruleConfig = { scale: null, min: 0, max: null }
    expect(fieldFromWire({ ...fieldToWire(everyField[0]), ruleType: 1, ruleConfig }).rule).toEqual({
      type: 'number',
      minimum: 0,
    })
  })

  it('does not identify the row if it was stored before that existed', () => {
    const { identifiesRow: _, ...stored } = fieldToWire(everyField[0])
    expect(fieldFromWire(stored)).not.toHaveProperty('identifiesRow')
  })

  it.for([
    { ruleConfig: '{"minimum":1}', why: "our own name for the wire's" },
    { ruleConfig: '{"format":"dd"}', why: 'a setting of another type' },
    { ruleConfig: '{"type":"list"}', why: 'a type' },
    { ruleConfig: '[]', why: 'an array' },
    { ruleConfig: { scale: 2 }, why: 'an object instead of its text' },
    { ruleConfig: [{ toString: 1, valueOf: 1 }], why: 'an object without a text' },
  ])('is refused for $why in its configuration', ({ ruleConfig }) =>
    expect(checkWireField({ itemName: 'A', ruleType: 1, ruleConfig })).toEqual({
      ok: false,
      problems: [{ key: 'ruleConfig', message: messages.configInvalid }],
    }),
  )

  it('may hold its configuration as an object in a dictionary of the command line', () =>
    expect(checkWireField({ itemName: 'A', ruleType: 1, ruleConfig: { scale: 2 } }, 'engine')).toMatchObject({
      field: { rule: { type: 'number', scale: 2 } },
    }))
})
