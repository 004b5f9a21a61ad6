import { z } from 'zod'
import { endpoint, etag, idReply, optionalEtag, timestamp } from './endpoint.ts'
import { triedDictionary } from './rule-book.ts'
import { cause } from './report-shape.ts'
import { submissionStatus } from './submissions.ts'

/** What a change of a dictionary would do to files that were uploaded. See docs/BEHAVIOUR.md#impact. */

/** A cause without what may quote a cell. A file refused as a whole has one of kind `file`, with 0 cells. */
const impactCause = cause
  .pick({ id: true, kind: true, columnPosition: true, label: true, cells: true, rows: true, firstRow: true })
  .extend({ rule: z.string().nullable(), severity: z.enum(['error', 'warning']) })

const impactFile = z.object({
  submissionId: z.int(),
  fileName: z.string(),
  uploadedAt: timestamp,
  statusBefore: submissionStatus,
  acceptedAfter: z.boolean(),
  /** Cells with errors with the draft, but not as saved; `gone`: the reverse. 0 for a whole file refused. */
  newErrors: z.int(),
  gone: z.int(),
  /** Of errors with the draft, most cells first, then of warnings; `errorScreenLimits.maxCauses` of each. */
  causes: z.array(impactCause),
})

const impact = z.object({
  state: z.enum(['running', 'done']),
  filesTried: z.int(),
  /** Uploads whose bytes are gone, or that could not be validated. */
  filesNotTried: z.int(),
  /** Accepted files that the draft refuses. */
  filesRefused: z.int(),
  companies: z.array(z.object({ name: z.string(), files: z.array(impactFile) })),
})
export type Impact = z.infer<typeof impact>

export const tryImpact = endpoint(
  'POST /api/DataDictionary/:id/Impact',
  'superAdmin',
  'Begin to validate the last 20 uploads with fields and rules as they would be; a part that is left out ' +
    'is as saved, and nothing is saved',
  { body: triedDictionary, reply: idReply, status: 202 },
)

export const readImpact = endpoint(
  'GET /api/DataDictionary/:id/Impact/:impactId',
  'superAdmin',
  'Which of the last uploads would be accepted or refused, as far as they were validated',
  { reply: impact },
)

export const announceRule = endpoint(
  'POST /api/DataDictionary/:id/Impact/:impactId/Announce',
  'superAdmin',
  'Save the rules that were tried, one of them as a warning until a day, and e-mail the day to the clerks ' +
    'of the companies whose files do not meet it',
  {
    body: z.object({ rule: z.string(), from: z.string(), version: optionalEtag }),
    /** `version`: of the saved rules. */
    reply: z.object({ mails: z.int(), version: etag }),
  },
)
