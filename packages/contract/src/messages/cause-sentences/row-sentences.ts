import { counted } from '#notation/count.ts'
import type { CauseKind } from '#model/cause.ts'
import type { CauseFacts, Sentences } from '#messages/cause-sentences/cause-facts.ts'
import { isAre, isInMostRows, named } from '#messages/cause-sentences/phrases.ts'

const deleteRows = ({ rows }: CauseFacts): string =>
  `Delete ${rows === 1 ? 'this row' : 'these rows'}: select a row by its number, then choose Home > ` +
  'Delete > Delete Sheet Rows. Only the first row holds the column names.'

/** Causes of whole rows and columns. Ours. */
export const rowSentences = {
  shiftedRows: {
    message: ({ rows, firstRow, detail }) =>
      `The cells of ${counted(rows, 'row')} stand one column too far ${detail}, from row ${firstRow} on.`,
    advice: ({ firstRow, detail }) =>
      detail === 'right'
        ? `Look at row ${firstRow}, and find the cell that is one too many. If it is the end of the value ` +
          'before it, which a comma or another separator split, join the two. Then delete it with Home > ' +
          'Delete > Delete Cells > Shift cells left, and do the same in the other rows.'
        : `Look at row ${firstRow}: find the place of the missing cell, insert one with Home > Insert > ` +
          'Insert Cells > Shift cells right, and do the same in the other rows.',
  },
  secondHeading: {
    message: ({ rows, firstRow, detail }) => {
      if (detail === 'repeated')
        return (
          `${counted(rows, 'row')} below the first ${rows === 1 ? 'repeats' : 'repeat'} the column names, ` +
          `${rows === 1 ? 'in' : 'the first in'} row ${firstRow}.`
        )
      return rows === 1
        ? `Row ${firstRow} is no record but a second heading row: it describes the columns.`
        : `${counted(rows, 'row')} from row ${firstRow} on are no records but further heading rows: they ` +
            'describe the columns.'
    },
    advice: deleteRows,
  },
  totalsRow: {
    message: ({ rows, firstRow }) =>
      rows === 1
        ? `Row ${firstRow} is no record but a total.`
        : `${counted(rows, 'row')} are no records but totals, the first in row ${firstRow}.`,
    advice: deleteRows,
  },
  nearlyEmpty: {
    message: (facts) => {
      const { rows, firstRow } = facts
      const first = `${rows === 1 ? '' : 'the first is '}row ${firstRow}`
      return isInMostRows(facts)
        ? `${counted(rows, 'row')} ${rows === 1 ? 'lacks' : 'lack'} most required values, ${first}.`
        : `${counted(rows, 'row')} ${isAre(rows)} nearly empty, ${first}: perhaps a total or a note.`
    },
    advice: (facts) =>
      isInMostRows(facts)
        ? 'Fill in the empty cells. Where the values are missing in the data itself, ask its source for them.'
        : 'Delete rows that are no records, such as totals and notes: select a row by its number, then ' +
          'choose Home > Delete > Delete Sheet Rows. Fill in the others.',
  },
  swappedColumns: {
    message: ({ labels, rows }) =>
      `The columns ${labels.map(named).join(' and ')} hold each other's values, in ` +
      `${counted(rows, 'row')}.`,
    advice: ({ labels: [one, other] }) =>
      `In the first row, type ${named(one)} over ${named(other)} and ${named(other)} over ${named(one)}. ` +
      'Then move both columns to their right places: select one by its letter, hold Shift, and drag its ' +
      'edge between two other columns.',
  },
} satisfies Partial<Record<CauseKind, Sentences>>
