import type { CauseKind } from '#model/cause.ts'
import { counted, writeCount } from '#notation/count.ts'
import type { CauseFacts, Sentences } from '#messages/cause-sentences/cause-facts.ts'
import {
  isAre,
  isInMostRows,
  isRemedy,
  named,
  oneOf,
  replaceAll,
  replaceEach,
  select,
  useFormula,
  valuesAre,
  valuesHave,
} from '#messages/cause-sentences/phrases.ts'
import { Remedy } from '#messages/cause-sentences/remedies.ts'

/** As the dialog needs it: * and ? stand for other characters there, and ~ before them for themselves. */
const found = (sign: string): string => (sign === ' ' ? 'a space' : sign.replace(/[*?~]/, '~$&'))

/** Replaces the signs everywhere in the column where no value is right with them. */
function removeSigns(facts: CauseFacts): string {
  if (!isRemedy(facts, Remedy.Remove)) return replaceEach(facts)
  const steps = replaceAll(facts, facts.remedies!.signs.map(found))
  if (facts.kind === 'quotes') return steps
  const further = steps.replace(`${select(facts)}, open`, 'Then open')
  return `${select(facts)} and set Format Cells > Number > Text, so that no leading zero is lost. ${further}`
}

/** TRIM leaves one space between two words, or between the groups of a number. */
const withoutSpaces = (facts: CauseFacts): string =>
  useFormula(facts, isRemedy(facts, Remedy.Spaces) ? Remedy.Spaces : Remedy.NoSpaces)

const endBefore = ({ cells, label }: CauseFacts): string =>
  `${counted(cells, 'row')} ${cells === 1 ? 'ends' : 'end'} before ${named(label)}.`

const OTHER_TEXTS = 'Other columns with text may have them too, where no rule can tell.'

/** Causes of cells of any column. Ours. */
export const cellSentences = {
  required: {
    message: ({ cells, recordsCount, label }) =>
      cells === recordsCount
        ? `The column ${named(label)} is empty in ` +
          `${cells === 1 ? 'the only row' : `all ${writeCount(cells)} rows`}.`
        : `${counted(cells, 'cell')} of ${named(label)} ${isAre(cells)} empty.`,
    advice: (facts) =>
      facts.cells === facts.recordsCount
        ? `Copy the values into the column ${named(facts.label)}. If you do not have them, ask the ` +
          'administrator whether the field may be empty.'
        : `Fill in these cells. To find them, select the column ${named(facts.label)} and choose Home > ` +
          'Find & Select > Go To Special > Blanks.' +
          (isInMostRows(facts)
            ? ' Cells that are merged hold a value in the first row only: split them.'
            : ''),
  },
  missingCell: {
    message: endBefore,
    advice: () =>
      'Compare these rows with the others: a value or a separator is missing. Fill in the missing cells.',
  },
  shortRows: {
    message: (facts) => `${endBefore(facts)} The cells that are missing may be empty.`,
    advice: () =>
      'The corrected copy has these cells, empty. If values are missing, fill them in; otherwise put a ' +
      'separator at the end of each of these rows for every cell that is missing.',
  },
  extraCell: {
    message: ({ cells }) =>
      `${counted(cells, 'row')} ${cells === 1 ? 'has' : 'have'} a cell outside the columns of the table.`,
    advice: () =>
      'Delete the cells outside the table. If a value was split in two, because it holds the separator, ' +
      'join its parts.',
  },
  errorCell: {
    message: ({ cells, label }) =>
      `${counted(cells, 'cell')} of ${named(label)} ${cells === 1 ? 'holds' : 'hold'} the error of a ` +
      'formula instead of a value.',
    advice: () => 'Correct the formulas, or replace each by its value, and save the file again.',
  },
  notCalculated: {
    message: ({ cells, label }) =>
      `${counted(cells, 'formula')} of ${named(label)} ${cells === 1 ? 'has' : 'have'} no result yet.`,
    advice: () => 'Open the file in Excel and save it, so that its formulas are calculated.',
  },
  hashes: {
    message: (facts) =>
      `${valuesAre(facts)} only ##### signs: the column was too narrow, and the values are lost.`,
    advice: (facts) =>
      `In the workbook that the file was made from, widen the column ${named(facts.label)} (double-click ` +
      'its right border), then save the file again.',
  },
  placeholder: {
    message: (facts) =>
      `${valuesAre(facts)} ${oneOf(facts, 'a placeholder', 'placeholders')} such as ` +
      `"${facts.examples[0]?.value ?? 'N/A'}"` +
      (facts.field?.required ? ', but the field must not be empty.' : '. An empty cell means the same here.'),
    advice: (facts) =>
      facts.field?.required
        ? 'Find the right values: this field needs one in every row, so a placeholder cannot be removed.'
        : `${select(facts)}, open Home > Find & Select > Replace, choose Match entire cell contents, find ` +
          `${facts.examples[0]?.value ?? 'N/A'} and replace it with nothing` +
          (facts.examples.length > 1 ? ', then the other placeholders in the same way.' : '.'),
  },
  quotes: {
    message: (facts) => `${valuesAre(facts)} in quotes, or after an apostrophe.`,
    advice: removeSigns,
  },
  spaces: {
    message: (facts) => `${valuesHave(facts)} spaces or invisible characters that do not belong there.`,
    advice: withoutSpaces,
  },
  brokenLetters: {
    message: (facts) =>
      facts.detail === 'html'
        ? `${valuesHave(facts)} letters or signs written as on a web page, such as "&amp;" for "&".`
        : facts.detail === 'lost'
          ? `${valuesHave(facts)} "?" for letters that a program could not write. ${OTHER_TEXTS}`
          : `${valuesHave(facts)} broken letters: a program read the text with the wrong encoding. ` +
            OTHER_TEXTS,
    advice: (facts) =>
      facts.detail === 'html'
        ? replaceEach(facts)
        : facts.detail === 'lost'
          ? 'Export the data again, as CSV UTF-8: this file does not have these letters any more. To ' +
            'replace them in Excel, search for ~?, because ? stands for any character.'
          : 'Open the file that you got first with Data > From Text/CSV, set File Origin to 65001: Unicode ' +
            '(UTF-8), and save it as CSV UTF-8 (Comma delimited). That repairs all columns.',
  },
  otherDigits: {
    message: (facts) => `${valuesAre(facts)} written with other digits than 0 to 9.`,
    advice: (facts) =>
      `${select(facts)}, open Home > Find & Select > Replace, and replace each of these digits by the one ` +
      'of 0 to 9 that it stands for.',
  },
  punctuation: {
    message: (facts) => `${valuesHave(facts)} hyphens, brackets or other signs that do not belong there.`,
    advice: removeSigns,
  },
} satisfies Partial<Record<CauseKind, Sentences>>
