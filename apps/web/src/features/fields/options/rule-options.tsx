import type { RuleType } from '@veridict/contract/model/rule'
import type { JSX } from 'react'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'
import { DateOptions } from './date-options.tsx'
import { ListOptions } from './list-options.tsx'
import { NumberOptions } from './number-options.tsx'
import { PatternOptions } from './pattern-options.tsx'
import { TextOptions } from './text-options.tsx'

type Options = (props: { form: FieldFormHook }) => JSX.Element
const optionsOf: Readonly<Record<RuleType, Options>> = {
  text: TextOptions,
  number: NumberOptions,
  date: DateOptions,
  pattern: PatternOptions,
  list: ListOptions,
}

/** The inputs of a rule type. */
export function RuleOptions({ type, form }: { type: RuleType; form: FieldFormHook }) {
  const Options = optionsOf[type]
  return <Options form={form} />
}
