import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'

export const fieldOf = (name: string, rule: Rule, required: boolean): Field => ({
  name,
  description: '',
  category: '',
  required,
  rule,
})

/** A field of each type. Text and List identify the row. */
export const fieldsOfAllTypes = [
  { ...fieldOf('Text', { type: 'text', minLength: 2, maxLength: 6 }, true), identifiesRow: true },
  fieldOf('Number', { type: 'number', scale: 2, minimum: 0, maximum: 500 }, false),
  fieldOf('Date', { type: 'date', format: 'dd/MM/yyyy' }, true),
  fieldOf('Pattern', { type: 'pattern', pattern: '[A-Z]{2}-[0-9]+' }, false),
  { ...fieldOf('List', { type: 'list', options: ['Open', 'Closed', '12'] }, false), identifiesRow: true },
]
