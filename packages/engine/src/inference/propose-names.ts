import { nameLimits } from '@veridict/contract/limits'
import { inferenceNotes as notes } from '@veridict/contract/messages/inference'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey, tidyLabel } from '@veridict/contract/notation/label'

/**
 * A name for every column from its label, no two the same (`labelKey`) and none blank or too long; what had to be
 * changed is noted. `header` begins at `firstColumn` of the sheet.
 */
export function proposeNames(header: readonly string[], firstColumn: number): { names: string[]; notes: string[] } {
  const labels = header.map((label) => cut(storable(label)))
  const told: string[] = []
  const taken = new Set<string>()
  // Labels that stand in the file come first: none of them gives way to a name that we make up.
  const kept = new Set(labels.map(labelKey))
  const names = labels.map((label, index) => {
    const position = columnLetter(firstColumn + index)
    if (label === '') {
      const name = unused(notes.columnName(position), (key) => !kept.has(key) && !taken.has(key))
      told.push(notes.blankLabel(name))
      return take(name, taken)
    }
    if (label !== storable(header[index])) told.push(notes.cutLabel(position, nameLimits.maxLength))
    if (!taken.has(labelKey(label))) return take(label, taken)
    const name = unused(label, (key) => !kept.has(key) && !taken.has(key))
    told.push(notes.doubledLabel(position, label, name))
    return take(name, taken)
  })
  return { names, notes: told }
}

/** What the database can keep of a label. */
const storable = (label: string): string => tidyLabel(label.replaceAll('\0', '').toWellFormed())

/** Never in the middle of a character. */
const cut = (label: string): string =>
  label
    .slice(0, nameLimits.maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()

function take(name: string, taken: Set<string>): string {
  taken.add(labelKey(name))
  return name
}

/** The name itself where it is free, else numbered from 2 on. */
function unused(name: string, isFree: (key: string) => boolean): string {
  if (isFree(labelKey(name))) return name
  for (let number = 2; ; number++) {
    const numbered = `${name.slice(0, nameLimits.maxLength - 8)} ${number}`
    if (isFree(labelKey(numbered))) return numbered
  }
}
