import { Textarea } from '@mantine/core'
import { rowRuleMessages, ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { conditionTests } from '@veridict/contract/model/row-rule'
import {
  conditionText,
  demandsText,
  readCondition,
  readDemands,
} from '@veridict/contract/notation/rule-sentence'
import { useState } from 'react'
import { conditionOf, type RuleValues, type TestPart } from './rule-values.ts'

export type TypedTestsProps = {
  part: TestPart
  title: string
  values: RuleValues
  /** Of a sentence that can be read. */
  onRead: (tests: RuleValues[TestPart], joint: RuleValues['joint']) => void
  /** Whether the form may be saved as far as this sentence goes. */
  onReadable: (isReadable: boolean) => void
}

/** Tests as the sentence itself, for those who prefer to type it. */
export function TypedTests({ part, title, values, onRead, onReadable }: TypedTestsProps) {
  const [text, setText] = useState(() => textOf(part, values))
  const [fault, setFault] = useState<string | null>(null)
  const read = (typed: string) => {
    setText(typed)
    const result = part === 'when' ? readCondition(typed) : readDemands(typed)
    onReadable(result.ok)
    setFault(result.ok ? null : rowRuleMessages.unreadable(result.fault))
    if (!result.ok) return
    if (Array.isArray(result.value)) onRead(result.value, values.joint)
    else onRead([...conditionTests(result.value)], result.value && 'any' in result.value ? 'any' : 'all')
  }
  return (
    <Textarea
      aria-label={title}
      description={texts.typedHint}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      error={fault}
      value={text}
      onChange={(event) => read(event.currentTarget.value)}
    />
  )
}

const textOf = (part: TestPart, values: RuleValues): string => {
  const tests = values[part].filter((test) => !('column' in test) || test.column !== '')
  if (tests.length === 0) return ''
  return part === 'when' ? conditionText(conditionOf({ ...values, when: tests })) : demandsText(tests)
}
