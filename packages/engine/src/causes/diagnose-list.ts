import { corrected, type Diagnosis, unresolved } from '#causes/diagnosis.ts'
import type { ListMeaning } from '#likeness/list-meaning.ts'

export const notInList = unresolved('notInList')

/**
 * What is wrong with a value of a list field that is not blank. `mostValues`: different values that are
 * compared with every option. A column with more does not have slips of the keyboard but other values; its
 * further ones are `notInList`.
 */
export function listDiagnoser(meaning: ListMeaning, mostValues: number): (text: string) => Diagnosis {
  // Bad values repeat. Each of 16,384 lists keeps few: 4,000 of each would be gigabytes.
  const mostKept = 2 * mostValues
  const diagnoses = new Map<string, Diagnosis | null>()
  /** Of the values that need a comparison with every option. */
  const compared = new Map<string, Diagnosis>()

  function ofSpelling(text: string): Diagnosis | null {
    const meant = meaning.ofSpelling(text)
    return meant === null ? null : corrected(meant.kind, meant.detail, meant.option)
  }

  function ofLikeness(text: string): Diagnosis {
    let diagnosis = compared.get(text)
    if (diagnosis !== undefined) return diagnosis
    if (compared.size >= mostValues) return notInList
    const near = meaning.ofLikeness(text)
    diagnosis = near === null ? notInList : corrected('misspelt', '', near)
    compared.set(text, diagnosis)
    return diagnosis
  }

  return (text) => {
    const cached = diagnoses.get(text)
    if (cached !== undefined) return cached ?? ofLikeness(text)
    const diagnosis = ofSpelling(text)
    if (diagnoses.size < mostKept) diagnoses.set(text, diagnosis)
    return diagnosis ?? ofLikeness(text)
  }
}
