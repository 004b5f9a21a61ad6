import type { CompanyDeletion } from '#api/companies.ts'
import type { DictionaryDeletion } from '#api/dictionaries.ts'
import type { UserDeletion } from '#api/users.ts'
import { pageSizes, storageErrorTimes } from '#limits.ts'
import { writeCount } from '#notation/count.ts'

/** What a deletion will do, a sentence each. Ours. See docs/BEHAVIOUR.md#people-and-rights. */
export const deletionMessages = {
  lookingUp: 'Looking up what this changes',
  notKnown: 'What this changes could not be looked up.',

  company: ({ containerName, ...company }: CompanyDeletion): string[] => [
    ...counted(company.userCount, '1 user can no longer log in.', '# users can no longer log in.'),
    ...counted(
      company.dataDictionaryCount,
      '1 data dictionary is no longer associated.',
      '# data dictionaries are no longer associated.',
    ),
    ...counted(
      company.tokenCount,
      '1 token of a program stops working.',
      '# tokens of programs stop working.',
    ),
    ...counted(
      company.filesInProcess,
      '1 file is still being processed. If it is valid it is saved, but its uploader gets no email.',
      '# files are still being processed. Those that are valid are saved, but their uploaders get no email.',
    ),
    ...counted(
      company.filesWithStorageError,
      `1 file with a storage error can no longer be retried. It is ${purged}`,
      `# files with a storage error can no longer be retried. They are ${purged}`,
    ),
    ...counted(
      company.filesUploaded,
      'The history of 1 uploaded file can no longer be seen.',
      'The history of # uploaded files can no longer be seen.',
    ),
    ...counted(
      company.filesSaved,
      `1 accepted file stays in '${containerName}'.`,
      `# accepted files stay in '${containerName}'.`,
    ),
    `The storage folder '${containerName}' can never be used again.`,
  ],

  dictionary: ({ companyCount, filesInProcess }: DictionaryDeletion): string[] => [
    ...counted(
      companyCount,
      '1 company can no longer upload files against it.',
      '# companies can no longer upload files against it.',
    ),
    ...counted(
      filesInProcess,
      '1 file is still being processed. It is checked against the fields of its upload.',
      '# files are still being processed. They are checked against the fields of their upload.',
    ),
    'Files that were checked against it stay in the history, with their errors.',
  ],

  user: ({ isSuperAdmin, filesInProcess, filesUploaded }: UserDeletion): string[] => [
    `This ${isSuperAdmin ? 'administrator' : 'user'} can no longer log in, and is logged out everywhere.`,
    ...counted(
      filesInProcess,
      '1 of their files is still being processed. It is finished, but they get no email.',
      '# of their files are still being processed. They are finished, but no emails are sent.',
    ),
    ...counted(
      filesUploaded,
      'The 1 file that they uploaded is kept, with its errors.',
      'The # files that they uploaded are kept, with their errors.',
    ),
    'The email address can be used again.',
  ],
} as const

/** Nothing for none. # is the number. Two sentences, because more than the noun changes with it. */
function counted(count: number, one: string, several: string): string[] {
  if (count === 0) return []
  const number = writeCount(count) + (count < pageSizes.maxCount ? '' : ' or more')
  return [count === 1 ? one : several.replace('#', number)]
}

const purged = `deleted ${storageErrorTimes.purgeAfterDays} days after the upload.`
