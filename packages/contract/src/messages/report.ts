import { counted, writeCount } from '#notation/count.ts'

/** Sentences of the report of a file: verdict, causes, rows of a cause. Ours. */
export const reportMessages = {
  notAccepted: 'Not accepted',
  /** Below the name of the file: against what it was checked, and who uploaded it when. */
  head: (dictionary: string, version: number | null, time: string, by: string | null) =>
    `${dictionary}${version === null ? '' : `, version ${version}`}. Uploaded ${time}` +
    `${by === null ? '' : ` by ${by}`}.`,
  /** After "500 of 38,210". */
  rowsWithErrors: (count: number, records: number) =>
    `${records === 1 ? 'row' : 'rows'} ${count === 1 ? 'has' : 'have'} errors`,
  ofRows: (recordsCount: number) => `of ${writeCount(recordsCount)}`,
  cellsWithErrors: (count: number) => (count === 1 ? 'cell to correct' : 'cells to correct'),
  /** Beside the number. */
  causesCount: (count: number) => (count === 1 ? 'cause' : 'causes'),

  /** How many bad cells are fixed together with the first causes. `percent` is 100 only if none remains. */
  fixFirst: (count: number, percent: number) =>
    `Fix ${count === 1 ? 'this cause' : `these ${count} causes`} and ` +
    `${percent === 100 ? 'all errors' : `${percent} % of the errors`} are gone.`,
  manyCauses: (count: number) => `${writeCount(count)} causes, most cells first`,
  otherCauses: (count: number) => (count === 1 ? 'One other cause' : `${writeCount(count)} other causes`),
  showOtherCauses: (count: number) => `Show ${writeCount(count)} other causes`,
  hideOtherCauses: 'Hide the other causes',
  largestCausesOnly: (shown: number, count: number) =>
    `These are the ${shown} largest of ${writeCount(count)} causes.`,
  wholeRows: 'Whole rows',
  wholeFile: 'Whole file',
  causeSize: (count: number, percent: number) =>
    `${counted(count, 'cell')}, ${percent < 1 ? 'less than 1' : percent} % of the errors`,
  share: (percent: number) => (percent < 1 ? '< 1 %' : `${percent} %`),
  times: (count: number) => `${writeCount(count)} times`,
  suggestion: 'would be right as',
  /** How many cells a corrected copy can change, of the causes that are shown. */
  withSuggestion: (suggestions: number, count: number) =>
    suggestions === count
      ? `${count === 1 ? 'The cell' : `All ${counted(count, 'cell')}`} can be corrected for you`
      : `${writeCount(suggestions)} of ${counted(count, 'cell')} can be corrected for you`,
  showRows: 'Show rows',
  rowsShown: 'Rows shown',
  correct: 'Correct…',
  answer: 'Answer…',
  questions: (count: number) => `${counted(count, 'question')} for you`,

  rows: 'Rows with errors',
  rowsOfCause: (shown: number, count: number) =>
    shown < count
      ? `The first ${writeCount(shown)} of ${writeCount(count)} rows with this cause; the report's errors ` +
        'file lists all'
      : `${counted(count, 'row')} with this cause`,
  /** For a column with two causes or more. */
  rowsOfColumn: (shown: number, count: number, causes: number) =>
    `${shown < count ? `${writeCount(shown)} of ` : ''}${writeCount(count)} rows with one of the ` +
    `${causes} causes in this column${shown < count ? ', the first of each' : ''}`,
  filter: 'Shown rows',
  filteredByCause: 'Cause',
  filteredByColumn: 'Column',
  showAllRows: 'Show all rows',
  allColumns: 'All columns',
  column: 'Column',
  goToRow: 'Go to row',
  rowNumberWanted: 'A row number, please.',
  rowNotListed: (rowNumber: number) => `Row ${rowNumber} has no errors among the rows shown here.`,
  rowBeyondList: (rowNumber: number, lastRow: number) =>
    `Row ${rowNumber} lies beyond row ${lastRow}, the last one shown. See the errors file.`,

  accepted: 'Accepted',
  records: (count: number) => (count === 1 ? 'record' : 'records'),
  rowsWithWarnings: (count: number) => (count === 1 ? 'row has warnings' : 'rows have warnings'),
  warnings: 'Warnings',
  warningLead: (count: number, rows: number) =>
    `${counted(count, 'warning')} in ${counted(rows, 'row')}. Warnings do not stop a file.`,
  warningsDeleted: 'The warnings of this report are deleted: values are kept for a limited time only.',
  noWarnings: 'Every row passed every check, without warnings.',
  warningsOf: (rule: string) => `Warnings of the rule ${rule}`,
  /** Before the other cells of a rule: `with B4, C4`. */
  with: 'with',

  uploadCorrected: 'Upload corrected file',
  /** After a link with the name of the previous file: `Since <file> of 3 May: …`. */
  since: 'Since',
  sinceDay: (day: string) => `of ${day}:`,
  byCause: 'By cause',
  fixed: (count: number) => `${writeCount(count)} fixed`,
  remaining: (count: number) => `${writeCount(count)} remaining`,
  isNew: (count: number) => `${writeCount(count)} new`,
} as const

/** Sentences of the menu of downloads and of the corrected copy. Ours. */
export const correctedMessages = {
  errorsFor: 'every error in a list, to sort or to pass on',
  highlightedFor: 'your file with the bad cells marked: the one to work in',
  warningsFor: 'every warning in a list, to sort or to pass on',
  highlightedWarningsFor: 'your file with the cells of warnings marked',
  copy: 'Corrected copy…',
  title: 'Corrected copy',
  lead: 'Choose what to correct. It is changed in a copy; the file itself stays as it is.',
  leftOpen: 'Left open',
  /** The field that a column may be. */
  likely: (name: string) => `Perhaps ${name}`,
  remember: 'Do the same next time',
  /** Above the answers that are chosen at first. */
  remembered: (count: number) => counted(count, 'remembered answer'),
  forget: 'Forget',
  tickAll: 'All of them',
  cells: (count: number) => counted(count, 'cell'),
  someStay: (count: number) =>
    `${counted(count, 'cell')} of this cause ${count === 1 ? 'has' : 'have'} no certain value and ` +
    `${count === 1 ? 'stays' : 'stay'} as ${count === 1 ? 'it is' : 'they are'}.`,
  /** For a cause of swapped dates: the dates of its column that are valid, but swapped, too. */
  passedToo: (count: number) =>
    `${counted(count, 'other value')} of this column ` +
    `${count === 1 ? 'passes' : 'pass'} although day and month are swapped there, too. The copy swaps ` +
    `${count === 1 ? 'it' : 'them'} back.`,
  /** What the copy does about a cause where no value changes, by its kind. */
  done: {
    headingMissing: 'In the copy, the column names stand above it.',
    titleRows: 'Left out in the copy.',
    columnsRenamed: 'In the copy, they have the names of the data dictionary.',
    columnOrder: 'In the copy, they have the order of the data dictionary.',
    columnsMissing: 'In the copy, they are added and empty.',
    secondHeading: 'Left out in the copy.',
    totalsRow: 'Left out in the copy.',
    shiftedRows: 'In the copy, they stand in their own columns.',
    shortRows: 'In the copy, they are added and empty.',
  } as Partial<Record<string, string>>,
  notPossible: 'What cannot be corrected for you',
  notPossibleWhy: 'The right values are known only to you. This stays as it is:',
  nothingTicked: 'Nothing is chosen, so nothing is changed.',
  looking: 'Looking at what is below…',
  /** `remaining` is null where the structure changes so that the errors below it are not known yet. */
  outcome: (changed: number, remaining: number | null, isStructure = remaining === null) => {
    const structure = `The structure${changed > 0 ? ` and ${counted(changed, 'cell')}` : ''}`
    const left =
      remaining === null
        ? 'What remains is known once the copy is checked.'
        : `${remaining === 0 ? 'None' : writeCount(remaining)} of these errors ` +
          `${remaining > 1 ? 'remain' : 'remains'}.`
    return `${isStructure ? structure : counted(changed, 'cell')} will be changed. ${left}`
  },
  download: 'Download corrected copy',
  upload: 'Correct and upload',
  doneTitle: 'The corrected copy was downloaded',
  changed: (count: number) => (count === 0 ? 'Changed:' : `${counted(count, 'cell')} changed:`),
  /** The copy of a report, on the upload screen. */
  copyHere: 'The corrected copy is chosen. It is uploaded as soon as the check finds no error.',
  save: 'Save the copy',
  copyHeading: 'Copy the heading row',
  headingCopied: 'Copied: paste it above the first row',
  nothingRemains: 'No error remains. Upload the copy to have it accepted.',
  remainsUnknown: 'The check below says what remains.',
  remains: (count: number) =>
    `${counted(count, 'error')} ${count === 1 ? 'remains' : 'remain'} in it. Correct ` +
    `${count === 1 ? 'it' : 'them'} in the copy before you upload it.`,
  dismiss: 'Close this message',
} as const
