import { describe, expect, it } from 'vitest'
import { deletionMessages } from './deletions.ts'

const company = {
  containerName: 'north-clinics',
  userCount: 0,
  dataDictionaryCount: 0,
  tokenCount: 0,
  filesInProcess: 0,
  filesWithStorageError: 0,
  filesSaved: 0,
  filesUploaded: 0,
}
const folder = "The storage folder 'north-clinics' can never be used again."

describe('What deleting a company changes', () => {
  it.for([
    { given: {}, says: [folder], why: 'nothing for none' },
    { given: { userCount: 1 }, says: ['1 user can no longer log in.', folder], why: 'one' },
    { given: { tokenCount: 2 }, says: ['2 tokens of programs stop working.', folder], why: 'programs' },
    { given: { userCount: 3 }, says: ['3 users can no longer log in.', folder], why: 'several' },
    {
      given: { filesSaved: 1204 },
      says: ["1,204 accepted files stay in 'north-clinics'.", folder],
      why: 'large numbers are grouped',
    },
    {
      given: { filesSaved: 10_000 },
      says: ["10,000 or more accepted files stay in 'north-clinics'.", folder],
      why: 'counted up to the limit',
    },
    {
      given: { filesWithStorageError: 1 },
      says: [
        '1 file with a storage error can no longer be retried. It is deleted 90 days after the upload.',
        folder,
      ],
      why: 'no user is left to retry it',
    },
  ])('$why: $given', ({ given, says }) =>
    expect(deletionMessages.company({ ...company, ...given })).toEqual(says),
  )
})
