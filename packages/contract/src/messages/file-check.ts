import { errorScreenLimits, uploadLimits } from '#limits.ts'
import { counted, writeCount } from '#notation/count.ts'

/** Sentences of the check before an upload. See docs/BEHAVIOUR.md#check-before-the-upload. */
export const fileCheckMessages = {
  title: 'Check before the upload',
  running: (fileName: string) => `Checking ${fileName} on this computer...`,
  passed: (recordsCount: number) => `Looks good: ${counted(recordsCount, 'row')}`,
  /** The title for a file whose rows have errors. */
  notReady: 'Not ready yet',
  wouldBeRefused: 'As it is, this file will not be accepted.',
  /** For a browser that cannot check the file. */
  unavailable: 'This file is checked after the upload.',
  /** For a file with more rows with errors than are shown. */
  firstRowsOf: (errorRowCount: number) =>
    `Showing the first ${errorScreenLimits.maxRows} of ${writeCount(errorRowCount)} rows with errors.`,
  /** `outcome`: one of those below, or null while there is none. */
  sameAsEarlier: (day: string, outcome: string | null) =>
    `This is the file of ${day}${outcome === null ? '' : `, ${outcome}`}.`,
  earlierErrors: (count: number) => counted(count, 'error'),
  earlierNotAccepted: 'not accepted',
  earlierAccepted: 'accepted',

  /** For a file without a chosen dictionary. */
  fits: (dictionaries: readonly { name: string }[]) =>
    `By its headings this file is for ${dictionaries.map(({ name }) => `"${name}"`).join(' or ')}.`,
  choose: (name: string) => `Choose ${name}`,

  /** In the dialog of the corrected copy. */
  makeCopy: 'Download and choose the copy',
  copyFailed:
    'The copy could not be made on this computer. Upload the file as it is: its report offers the same copy.',
  copyTooLarge:
    `The copy would be larger than ${uploadLimits.maxBytes / 1024 / 1024} MB, and could not be uploaded. ` +
    'Split the file into several ones first.',
  copyChosen: 'The corrected copy was downloaded, and is chosen for the upload',
} as const
