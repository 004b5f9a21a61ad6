import { counted, writeCount } from '#notation/count.ts'

/** Sentences about what a change would do to uploaded files. See docs/BEHAVIOUR.md#impact. Ours. */
export const impactMessages = {
  stillRunning: 'The files are still being validated. Wait until that has ended.',
  notAhead: 'The day must be written yyyy-MM-dd, and lie in the future.',
  neverRefuses: 'This rule is a warning: it refuses no file, so there is no day to announce.',
  announcedBefore: 'This rule was announced already. Try the files again to announce another day.',
  announced: (mails: number) =>
    mails === 0
      ? 'Rules have been saved.'
      : `Rules have been saved. ${counted(mails, 'clerk')} will get an e-mail.`,

  question: 'Who would this break?',
  lead:
    'The last 20 uploads whose files are still kept are validated as if this were saved, and compared with ' +
    'what is saved now. Nothing is saved.',
  trying: (tried: number) => `${counted(tried, 'file')} validated until now …`,
  nothing: 'No file of an upload is kept any more, so nothing could be tried.',
  refused: (refused: number, tried: number) =>
    `${refused === 0 ? 'None' : writeCount(refused)} of ${counted(tried, 'file')} would now be refused`,
  refusedAlready: (files: number) => `${writeCount(files)} of them also without this change.`,
  /** `from`: the day from when on the rule refuses files; undefined for never. */
  warned: (warned: number, tried: number, from: string | undefined) =>
    `${from === undefined ? '' : `From ${from} on, the rule refuses files. `}${writeCount(warned)} of ` +
    `${counted(tried, 'file')} ${warned === 1 ? 'does' : 'do'} not meet it`,
  notTried: (files: number) =>
    `${counted(files, 'other upload')} could not be tried, as the file is gone or could not be read.`,
  cellsIn: (cells: number) => `${counted(cells, 'cell')} in `,
  asWhole: (files: number) => `${counted(files, 'file')} as a whole, as the columns do not fit`,
  companies: 'Companies',
  noCompanies: 'None',
  files: 'Tried files',
  columns: { company: 'Company', file: 'File', verdict: 'Then', new: 'New errors', gone: 'Errors gone' },
  /** `isAccepted`: before and after. */
  verdict: (isAccepted: readonly [boolean, boolean]) =>
    `${isAccepted[1] ? 'Accepted' : 'Refused'}${isAccepted[0] === isAccepted[1] ? ', as before' : ''}`,

  until: 'Only a warning before',
  untilHint:
    'The rule is saved, and refuses files from this day on. The clerks of these companies get an e-mail ' +
    'with the day and the number of their cells.',
  announce: 'Save as a warning until then',
} as const
