import { writeCount } from '#notation/count.ts'

/** Sentences of choosing and sending a data file. See docs/BEHAVIOUR.md#upload. */
export const uploadMessages = {
  wrongType: 'Invalid file type. Only .xlsx and .csv files are allowed.',
  tooLarge: 'Maximum file size allowed is 25 MB.',
  fileRequired: 'File is required.',
  fileEmpty: 'The file is empty. Please select a file with data.',
  dictionaryRequired: 'Data dictionary is required.',
  dictionaryGone: 'This data dictionary is no longer available to your company. Please choose another one.',
  oneFileOnly: 'Please upload one file at a time.',
  malformed: 'The upload could not be read. Please select the file again.',
  interrupted:
    'The file may have been modified after selection or a network error occurred. Please ' +
    'reselect and try again.',
  /** Ours. */
  canceled: 'The upload was canceled.',
  chooseDictionary: 'Choose the data dictionary first.',
  uploading: (fileName: string) => `Uploading file ${fileName}...`,
  uploadedTitle: 'Your claim was uploaded.',
  uploadedText: 'You will receive an email once the file has been processed.',
  /** Ours: instead of the two above, once the verdict is there. */
  accepted: 'Your file was accepted.',
  notAccepted: 'Your file was not accepted.',
  /** Ours. */
  outcomeUnknown:
    'The connection to the database was lost while the file was recorded. Please look at the history ' +
    'before you upload it again.',
  storageFull:
    'The portal has no room for this file at the moment. Please try again later or contact the ' +
    'administrator.',
  quotaReached: (megabytes: number) =>
    `The files of your company take up all of its ${writeCount(megabytes)} MB, so this one was not stored. ` +
    'Rejected files are deleted after some time; for more room, please contact the administrator.',
} as const
