import type { Field } from '@veridict/contract/model/field'
import { labelKey } from '@veridict/contract/notation/label'
import { differenceSentence } from '#header/check-header.ts'
import { compareHeader, type HeaderDifference } from '#header/compare-header.ts'
import type { Mark, MarkedRow } from '#output/marked-rows.ts'
import type { TableSource } from '#source/table-source.ts'

/**
 * What to mark in a header that does not match its dictionary: the columns that differ, each with a note, and
 * red empty cells for missing columns. null if the header matches.
 */
export function headerMarks(
  { header, headerRowNumber, firstColumn }: Pick<TableSource, 'header' | 'headerRowNumber' | 'firstColumn'>,
  fields: readonly Field[],
): MarkedRow | null {
  const notes = new Map<number, string[]>()
  for (const difference of compareHeader(header, fields, firstColumn)) {
    for (const [column, note] of notesOf(difference, header, fields, firstColumn)) {
      const earlier = notes.get(column)
      if (earlier === undefined) notes.set(column, [note])
      else earlier.push(note)
    }
  }
  if (notes.size === 0) return null
  const cells = [...notes].map(([column, lines]): Mark => ({
    column,
    kind: 'bad',
    hasNote: true,
    note: lines.join('\n'),
  }))
  return { rowNumber: headerRowNumber, cells: cells.sort((a, b) => a.column - b.column) }
}

function notesOf(
  difference: HeaderDifference,
  header: readonly string[],
  fields: readonly Field[],
  firstColumn: number,
): [column: number, note: string][] {
  switch (difference.kind) {
    case 'duplicate': {
      // Made once: it names all positions, of which there may be thousands.
      const sentence = differenceSentence(difference)
      return difference.positions.map((position) => [position, sentence])
    }
    case 'moved':
      // The message names only the first moved column.
      return fields.flatMap(({ name }, index): [number, string][] => {
        const position = firstColumn + index
        const found = header[position]
        if (labelKey(found) === labelKey(name)) return []
        return [[position, differenceSentence({ kind: 'moved', position, found, expected: name })]]
      })
    default:
      // A column may be missing far beyond the header; then the cell after the last label is marked.
      return [[Math.min(difference.position, header.length), differenceSentence(difference)]]
  }
}
