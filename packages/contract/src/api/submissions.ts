import { z } from 'zod'
import { uploadLimits, worksheetBounds } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'
import { uploadMessages } from '#messages/upload.ts'
import { ErrorType } from '#model/verdict.ts'
import { SubmissionStatus } from '#model/submission-status.ts'
import { submissionMessages } from '#messages/submissions.ts'
import {
  endpoint,
  messageReply,
  timestamp,
  boundedPageOf,
  pagingQuery,
  chosenId,
  id,
  repeated,
} from './endpoint.ts'

export const submissionStatus = z.literal(Object.values(SubmissionStatus))

/** A status in the query, where it is text. */
const oneOfStatuses = z.preprocess(
  (given) => (typeof given === 'string' && /^\d$/.test(given) ? Number(given) : given),
  submissionStatus,
)

export const submissionItem = z.object({
  id: z.int(),
  fileName: z.string(),
  dataDictionaryName: z.string(),
  recordsCount: z.int().nullable(),
  createdAt: timestamp,
  status: submissionStatus,
  /** The number of rows with errors; null if they were not counted. */
  errorRowCount: z.int().nullable(),
  /** The number of rows with warnings; null if they were not counted, as by a portal before 0.2. */
  warningRowCount: z.int().nullable().default(null),
  /** The name of the person, or of the company's token. */
  uploadedBy: z.string(),
})
export type SubmissionItem = z.infer<typeof submissionItem>

export const dictionariesForSelection = endpoint(
  'GET /api/DataDictionary/GetListForSelection',
  'uploaderOrReader',
  'Dictionaries to choose from: those associated with the company',
  { reply: z.array(z.object({ id: z.int(), name: z.string() })) },
)

export const findFittingDictionaries = endpoint(
  'POST /api/DataDictionary/Fitting',
  'companyUser',
  'Which dictionaries of the company fit the column names of a file, but for the one that is chosen',
  {
    body: z.object({
      labels: z.array(z.string().max(worksheetBounds.maxCellLength)).min(1).max(worksheetBounds.maxColumns),
      dataDictionaryId: id.optional(),
    }),
    reply: dictionariesForSelection.reply,
  },
)

export const uploadSubmission = endpoint(
  'POST /api/FileSubmission',
  'uploader',
  'Upload a data file against a dictionary',
  {
    multipart: {
      file: { maxBytes: uploadLimits.maxBytes, message: uploadMessages.tooLarge },
      fields: z.object({ dataDictionaryId: chosenId(uploadMessages.dictionaryRequired) }),
    },
    reply: submissionItem.pick({ id: true, fileName: true, status: true }),
    status: 202,
  },
)

export const listSubmissions = endpoint(
  'GET /api/FileSubmission',
  'uploaderOrReader',
  'History of uploaded files, newest first',
  { query: pagingQuery.extend({ Status: repeated(oneOfStatuses) }), reply: boundedPageOf(submissionItem) },
)

export const exportSubmissions = endpoint(
  'GET /api/FileSubmission/Export',
  'reader',
  'History of uploaded files as CSV, newest first',
  {
    query: pagingQuery.pick({ SearchText: true }).extend({ Status: repeated(oneOfStatuses) }),
    download: true,
  },
)

/** The previous upload of an accepted file (see `previousReport`), if it had errors. `fixed`: bad cells. */
export const correctedUpload = submissionItem
  .pick({ id: true, fileName: true, createdAt: true })
  .extend({ fixed: z.int() })

/** `previous` and `errorType` are absent in the reply of an earlier version of the portal. */
export const submissionDetails = submissionItem.extend({
  previous: correctedUpload.nullable().optional(),
  /** null unless the file has errors. */
  errorType: z.literal(Object.values(ErrorType)).nullable().optional(),
})
export type SubmissionDetails = z.infer<typeof submissionDetails>

export const readSubmission = endpoint(
  'GET /api/FileSubmission/:id',
  'uploaderOrReader',
  'One submission, as the history shows it, and what it corrected',
  { reply: submissionDetails },
)

/** An upload of exactly the same bytes. `cellErrorCount` is given only for rows with errors. */
export const earlierUpload = submissionItem
  .pick({ id: true, fileName: true, createdAt: true, status: true })
  .extend({ cellErrorCount: z.int().nullable() })
export type EarlierUpload = z.infer<typeof earlierUpload>

export const findEarlierUpload = endpoint(
  'GET /api/FileSubmission/Earlier',
  'reader',
  'The last upload of the same bytes against a dictionary, if it was a recent one; null without',
  {
    query: z.object({
      dataDictionaryId: chosenId(uploadMessages.dictionaryRequired),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, noticeMessages.invalidValue),
    }),
    reply: earlierUpload.nullable(),
  },
)

export const retryIngestion = endpoint(
  'POST /api/FileSubmission/retryingestionupload',
  'uploader',
  'Save a validated file again after a storage error',
  { body: z.object({ FileId: id }), reply: messageReply, says: submissionMessages.retryStarted },
)
