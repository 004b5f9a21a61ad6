import type { RowRule } from '#model/row-rule.ts'
import { readCondition, readDemands, type ReadSentence } from '#notation/rule-sentence.ts'

/** The forms of a whole rule; the last one fits every text. */
const ruleForms = [
  /^if\b(?<when>.*?), then\b(?<then>.*?)(?:; otherwise\b(?<otherwise>.*?))?\.?$/is,
  /^unless\b(?<when>.*?):(?<otherwise>.*?)\.?$/is,
  /^(?<then>.*?)\.?$/is,
]

const valueOf = <T>(read: ReadSentence<T>): T => {
  if (!read.ok) throw new Error(`Not a sentence: ${read.fault.nearest}`)
  return read.value
}

/** A rule as `ruleSentence` writes it, for tests. */
export function ruleOfSentence(sentence: string): Pick<RowRule, 'when' | 'then' | 'otherwise'> {
  const parts = ruleForms.map((form) => form.exec(sentence)).find((match) => match !== null)!.groups!
  const when = valueOf(readCondition(parts.when ?? ''))
  const otherwise = valueOf(readDemands(parts.otherwise ?? ''))
  return {
    ...(when !== undefined && { when }),
    then: valueOf(readDemands(parts.then ?? '')),
    ...(otherwise.length > 0 && { otherwise }),
  }
}
