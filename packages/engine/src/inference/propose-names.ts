import { nameLimits } from '@veridict/contract/limits'
import { inferenceNotes as notes } from '@veridict/contract/messages/inference'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey, tidyLabel } from '@veridict/contract/notation/label'

/** Notes about names that are listed; with more of them the header is not a real header. */
const MAX_NOTES = 20
/** Room for a number after a long name. */
const NUMBER_LENGTH = 8

/** Unique (`labelKey`), not blank and not too long; changes are noted. `header` begins at `firstColumn`. */
export function proposeNames(
  header: readonly string[],
  firstColumn: number,
): { names: string[]; notes: string[] } {
  const whole = header.map(storable)
  const labels = whole.map(cut)
  const made = new GeneratedNames(labels)
  const seen = new Set<string>()
  const allNotes: string[] = []
  const names = labels.map((label, index) => {
    const position = columnLetter(firstColumn + index)
    if (label === '') {
      const name = made.unlike(notes.columnName(position))
      allNotes.push(notes.blankLabel(position, name))
      return name
    }
    if (label !== whole[index]) allNotes.push(notes.cutLabel(position, nameLimits.maxLength))
    const key = labelKey(label)
    if (!seen.has(key)) {
      seen.add(key)
      return label
    }
    const name = made.unlike(label)
    allNotes.push(notes.duplicateLabel(position, label, name))
    return name
  })
  const omitted = allNotes.length - MAX_NOTES
  return {
    names,
    notes: omitted > 0 ? [...allNotes.slice(0, MAX_NOTES), notes.moreLabels(omitted)] : allNotes,
  }
}

/** A label as the database can store it. */
const storable = (label: string): string => tidyLabel(label.replaceAll('\0', '').toWellFormed())

/** Does not cut a character in two. */
const cut = (label: string): string =>
  label
    .slice(0, nameLimits.maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()

/** Generated names. They never take the label of another column. */
class GeneratedNames {
  readonly #taken: Set<string>
  /** The last number after a name: ten thousand duplicates would take too long to count each time. */
  readonly #numbers = new Map<string, number>()

  constructor(labels: readonly string[]) {
    this.#taken = new Set(labels.map(labelKey))
  }

  /** The name itself if it is free, else numbered from 2 on. */
  unlike(name: string): string {
    const base = name.slice(0, nameLimits.maxLength - NUMBER_LENGTH)
    let number = this.#numbers.get(base) ?? 1
    let free = name
    while (this.#taken.has(labelKey(free))) free = `${base} ${++number}`
    this.#numbers.set(base, number)
    this.#taken.add(labelKey(free))
    return free
  }
}
