import * as admin from './admin.ts'
import * as answers from './answers.ts'
import * as auditTrail from './audit-trail.ts'
import * as companies from './companies.ts'
import * as companyTokens from './company-tokens.ts'
import * as dictionaries from './dictionaries.ts'
import * as dictionaryVersions from './dictionary-versions.ts'
import type { Endpoint } from './endpoint.ts'
import * as errorFiles from './error-files.ts'
import * as fields from './fields.ts'
import * as impacts from './impacts.ts'
import * as receipts from './receipts.ts'
import * as ruleBook from './rule-book.ts'
import * as session from './session.ts'
import * as submissionErrors from './submission-errors.ts'
import * as submissions from './submissions.ts'
import * as users from './users.ts'
import * as webhooks from './webhooks.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** All calls by name: for mounting, the OpenAPI document and the tests of the roles. */
export const endpoints: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  [
    session,
    users,
    submissions,
    submissionErrors,
    errorFiles,
    receipts,
    companies,
    companyTokens,
    webhooks,
    dictionaries,
    dictionaryVersions,
    answers,
    fields,
    ruleBook,
    impacts,
    admin,
    auditTrail,
  ].flatMap((resource) =>
    Object.entries(resource).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
  ),
)
