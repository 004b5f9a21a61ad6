import { RuleType } from '@veridict/contract/model/rule'
import type { JSX } from 'react'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'
import { DateOptions } from './date-options.tsx'
import { ListOptions } from './list-options.tsx'
import { NumberOptions } from './number-options.tsx'
import { PatternOptions } from './pattern-options.tsx'
import { TextOptions } from './text-options.tsx'

/** The inputs of a type; the compiler asks for those of a new one. */
export function RuleOptions({ ruleType, form }: { ruleType: RuleType; form: FieldFormHook }): JSX.Element {
  switch (ruleType) {
    case RuleType.Text:
      return <TextOptions form={form} />
    case RuleType.Number:
      return <NumberOptions form={form} />
    case RuleType.Date:
      return <DateOptions form={form} />
    case RuleType.Pattern:
      return <PatternOptions form={form} />
    case RuleType.List:
      return <ListOptions form={form} />
  }
}
