import { storageErrorTimes } from '#limits.ts'
import { writeCount } from '#notation/count.ts'

type CompanyCounts = {
  containerName: string
  userCount: number
  dataDictionaryCount: number
  tokenCount: number
  filesInProcess: number
  filesWithStorageError: number
  filesSaved: number
  filesUploaded: number
}
type DictionaryCounts = { companyCount: number; filesInProcess: number }
type UserCounts = { isSuperAdmin: boolean; filesInProcess: number; filesUploaded: number }

/** What a deletion will do, a sentence each. Ours. See docs/BEHAVIOUR.md#people-and-rights. */
export const deletionMessages = {
  lookingUp: 'Looking up what this changes',
  notKnown: 'What this changes could not be looked up.',

  company: (company: CompanyCounts): string[] => [
    ...counted(
      company.userCount,
      '1 user can no longer log in.',
      (count) => `${count} users can no longer log in.`,
    ),
    ...counted(
      company.dataDictionaryCount,
      '1 data dictionary is no longer associated.',
      (count) => `${count} data dictionaries are no longer associated.`,
    ),
    ...counted(
      company.tokenCount,
      '1 token of a program stops working.',
      (count) => `${count} tokens of programs stop working.`,
    ),
    ...counted(
      company.filesInProcess,
      '1 file is still being processed. If it is valid it is saved, but its uploader gets no email.',
      (count) =>
        `${count} files are still being processed. ` +
        'Those that are valid are saved, but their uploaders get no email.',
    ),
    ...counted(
      company.filesWithStorageError,
      `1 file with a storage error can no longer be retried. ${purged('It is')}`,
      (count) => `${count} files with a storage error can no longer be retried. ${purged('They are')}`,
    ),
    ...counted(
      company.filesUploaded,
      'The history of 1 uploaded file can no longer be seen.',
      (count) => `The history of ${count} uploaded files can no longer be seen.`,
    ),
    ...counted(
      company.filesSaved,
      `1 accepted file stays in '${company.containerName}'.`,
      (count) => `${count} accepted files stay in '${company.containerName}'.`,
    ),
    `The storage folder '${company.containerName}' can never be used again.`,
  ],

  dictionary: ({ companyCount, filesInProcess }: DictionaryCounts): string[] => [
    ...counted(
      companyCount,
      '1 company can no longer upload files against it.',
      (count) => `${count} companies can no longer upload files against it.`,
    ),
    ...counted(
      filesInProcess,
      '1 file is still being processed. It is checked against the fields of its upload.',
      (count) =>
        `${count} files are still being processed. They are checked against the fields of their upload.`,
    ),
    'Files that were checked against it stay in the history, with their errors.',
  ],

  user: ({ isSuperAdmin, filesInProcess, filesUploaded }: UserCounts): string[] => [
    `This ${isSuperAdmin ? 'administrator' : 'user'} can no longer log in, and is logged out everywhere.`,
    ...counted(
      filesInProcess,
      '1 of their files is still being processed. It is finished, but they get no email.',
      (count) =>
        `${count} of their files are still being processed. They are finished, but no emails are sent.`,
    ),
    ...counted(
      filesUploaded,
      'The 1 file that they uploaded is kept, with its errors.',
      (count) => `The ${count} files that they uploaded are kept, with their errors.`,
    ),
    'The email address can be used again.',
  ],
} as const

/** Nothing for none. Both sentences are written out, because more than the noun changes with the number. */
const counted = (count: number, one: string, several: (count: string) => string): string[] =>
  count === 0 ? [] : [count === 1 ? one : several(writeCount(count))]

const purged = (whatIs: string) =>
  `${whatIs} deleted ${storageErrorTimes.purgeAfterDays} days after the upload.`
