import type { AuditAction, AuditDetail } from '@veridict/contract/model/audit-action'
import type { Cause } from '@veridict/contract/model/cause'
import type { CellError, RowKeyPart, RowReport } from '@veridict/contract/model/cell-error'
import type { DictionaryChange } from '@veridict/contract/model/dictionary-change'
import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import type { ErrorType, ErrorGroup, FileProblem } from '@veridict/contract/model/verdict'
import type { Role } from '@veridict/contract/model/role'
import type { TokenScope } from '@veridict/contract/model/token-scope'
import type { RuleConfig, RuleNumber, WireField } from '@veridict/contract/api/wire-field'
import type { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { ComparedFile } from '@veridict/engine/compare-dictionaries'
import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  JSONColumnType,
  Kysely,
  Selectable,
  Transaction,
} from 'kysely'

/** What runs statements on the tables of the portal: a pool, a view of it, a connection or a transaction. */
export type Db = Kysely<Database>
export type Trx = Transaction<Database>

/** All tables, column by column as in `migrations/`; names are camelCase through Kysely's CamelCasePlugin. */
export type Database = {
  companies: {
    id: GeneratedAlways<number>
    name: string
    storageFolder: string
    address: string
    createdAt: Generated<Date>
    updatedAt: Generated<Date>
    deletedAt: Date | null
    /** Since when its uploads are refused and its files wait. */
    pausedAt: Date | null
  }
  users: {
    id: GeneratedAlways<number>
    companyId: number | null
    role: Role
    name: string
    email: string
    phone: string
    passwordHash: string | null
    createdAt: Generated<Date>
    updatedAt: Generated<Date>
    deletedAt: Date | null
    guessingMailAt: Date | null
  }
  sessions: {
    id: string
    userId: number
    generation: Generated<number>
    rotatedAt: Generated<Date>
    createdAt: Generated<Date>
    expiresAt: Date
    endedAt: Date | null
    device: Generated<string>
    address: Generated<string>
  } & SessionOrigin
  companyTokens: {
    id: GeneratedAlways<number>
    companyId: number
    name: string
    tokenHash: string
    createdAt: Generated<Date>
    expiresAt: Date
    lastUsedAt: Date | null
    revokedAt: Date | null
    scope: Generated<TokenScope>
    /** Both as of the time when it was made; null in rows older than these columns. */
    creatorId: number | null
    creatorEmail: string | null
    /** When the e-mail about its end was queued. */
    endMailAt: Date | null
  }
  passwordLinks: {
    id: GeneratedAlways<number>
    userId: number
    purpose: 'invitation' | 'reset'
    tokenHash: string
    createdAt: Generated<Date>
    expiresAt: Date
    usedAt: Date | null
    mailId: number | null
    /** The link is valid for this long after its e-mail was sent; null in links older than this column. */
    lifeSeconds: number | null
  }
  /** `account`: a user's id, or an e-mail without one. `address`: or `browser <id>`, a known browser. */
  wrongPasswords: { id: GeneratedAlways<number>; account: string; address: string; at: Generated<Date> }
  loginAddresses: { userId: number; address: string; lastAt: Generated<Date> }
  dictionaries: {
    id: GeneratedAlways<number>
    name: string
    revision: Generated<number>
    createdAt: Generated<Date>
    updatedAt: Generated<Date>
    updatedBy: number | null
    deletedAt: Date | null
    /** null: the empty rule book. */
    ruleBookId: Generated<number | null>
  }
  fields: {
    id: GeneratedAlways<number>
    dictionaryId: number
    position: number
    name: string
    nameKey: string
    description: string
    category: string
    required: boolean
    identifiesRow: Generated<boolean>
    ruleType: RuleNumber
    ruleConfig: JSONColumnType<RuleConfig>
    /** The frozen field with the same content; null between a change and the version of that change. */
    frozenId: Generated<number | null>
    createdAt: Generated<Date>
    updatedAt: Generated<Date>
  }
  dictionaryVersions: {
    id: GeneratedAlways<number>
    dictionaryId: number
    revision: number
    name: string
    /** Ids of `frozenFields`, in the order of the fields. */
    fieldIds: number[]
    changedAt: Date
    /** null: by the portal itself. */
    changedBy: number | null
    change: JSONColumnType<DictionaryChange>
    /** That of the dictionary; a trigger copies it. */
    ruleBookId: ColumnType<number | null, never, never>
  }
  /** Fields as versions store them for ever, with the wire's names. */
  frozenFields: { id: Generated<number>; content: JSONColumnType<WireField, string, never> }
  ruleBooks: { id: GeneratedAlways<number>; content: JSONColumnType<RuleBook, string, never> }
  companyDictionaries: { companyId: number; dictionaryId: number; createdAt: Generated<Date> }
  rememberedAnswers: {
    id: GeneratedAlways<number>
    companyId: number
    dictionaryId: number
    /** null for the structure. */
    fieldId: number | null
    kind: string
    question: string | null
    choice: string | null
    map: JSONColumnType<Record<string, string>> | null
  }
  /** `dictionaryVersionId`: what the draft is compared with. */
  impacts: {
    id: GeneratedAlways<number>
    dictionaryId: number
    dictionaryVersionId: number
    draft: JSONColumnType<{ fields: Field[]; ruleBook: RuleBook }>
    createdAt: Generated<Date>
    startedAt: Date | null
    doneAt: Date | null
    leaseUntil: Date | null
  }
  /** `outcome` is null for an upload whose bytes are gone, or that could not be validated. */
  impactFiles: {
    impactId: number
    submissionId: number
    statusBefore: SubmissionStatus
    outcome: JSONColumnType<ComparedFile> | null
  }
  submissions: {
    id: GeneratedAlways<number>
    companyId: number
    /** null: uploaded with a token. */
    userId: number | null
    tokenId: number | null
    /** The name of the user or token at the upload; null in rows older than this column. */
    uploadedByName: string | null
    uploadedByEmail: string | null
    dictionaryVersionId: number
    dictionaryName: string
    fileName: string
    fileKind: 'csv' | 'xlsx'
    bytes: number
    sha256: string
    storageKey: string
    status: Generated<SubmissionStatus>
    errorType: ErrorType | null
    /** The file problem as one text; null for rows with errors. */
    errorMessage: string | null
    /** Has details; null for rows with errors. Older rows have null, or lack optional members. */
    fileProblem: JSONColumnType<FileProblem> | null
    recordsCount: number | null
    errorRowCount: number | null
    cellErrorCount: number | null
    /** Both null until the file is validated, for file problems, and in rows older than these columns. */
    warningCount: number | null
    warningRowCount: number | null
    errorGroups: JSONColumnType<ErrorGroup[]> | null
    /** Id and cells of each cause, largest first, as far as they are kept; null in rows older than causes. */
    causeCounts: JSONColumnType<[string, number][]> | null
    causesCount: number | null
    targetPath: string | null
    /** The signed JSON of an accepted file; null until it was made. */
    receipt: string | null
    leaseId: string | null
    /** Without `leaseId`: a run failed, and the next one begins at that time; in status 5, too. */
    leaseUntil: Date | null
    /** Number of the advisory lock of the process; see `platform/jobs/leases.ts`. */
    leaseHolder: number | null
    attempts: Generated<number>
    /** Its place among the waiting files of all companies. */
    turn: Generated<number>
    /** The span of its upload; null without tracing. */
    traceparent: string | null
    createdAt: Generated<Date>
    updatedAt: Generated<Date>
    settledAt: Date | null
    sourceDeletedAt: Date | null
  }
  submissionMoves: {
    id: GeneratedAlways<number>
    submissionId: number
    fromStatus: SubmissionStatus | null
    toStatus: SubmissionStatus
    leaseId: string | null
    note: Generated<string>
    at: Generated<Date>
  }
  /** `errors`: fault number, value, cause, suggestion of each. Rows older than causes lack the last two. */
  rowReports: {
    submissionId: number
    rowNumber: number
    key: JSONColumnType<RowKeyPart[], string | undefined>
    totalCount: number
    errors: JSONColumnType<[number, string, string?, (string | null)?][]>
  }
  reportFaults: { submissionId: number; number: number } & Omit<CellError, 'value' | 'cause' | 'suggestion'>
  submissionCauses: SubmissionCauseTable
  submissionWarnings: SubmissionCauseTable
  mails: {
    id: GeneratedAlways<number>
    messageId: string
    recipient: string
    subject: string
    textBody: string
    htmlBody: string
    createdAt: Generated<Date>
    attempts: Generated<number>
    nextAttemptAt: Generated<Date>
    /** When the server refused it for now for the first time. */
    refusedSince: Date | null
    lastError: string | null
    sentAt: Date | null
    parkedAt: Date | null
    /** The span that caused it; null without tracing. */
    traceparent: string | null
  }
  webhooks: {
    companyId: number
    url: string
    secretSalt: string
    sealedSecret: string | null
    setAt: Generated<Date>
  }
  webhookDeliveries: {
    id: GeneratedAlways<number>
    messageId: string
    companyId: number
    submissionId: number
    body: string
    createdAt: Generated<Date>
    attempts: Generated<number>
    nextAttemptAt: Generated<Date>
    lastError: string | null
    deliveredAt: Date | null
    givenUpAt: Date | null
    /** The span that caused it; null without tracing. */
    traceparent: string | null
  }
  marks: { name: string; at: Date; note: string | null }
  /** A recurring job. `leaseUntil` without `leaseId`: it failed, and does not run again before that time. */
  timers: { name: string; ranAt: Date; leaseId: string | null; leaseUntil: Date | null }
  /** Append-only. `place` and `hash` are null until the entry is linked to the one before. */
  auditEntries: {
    id: GeneratedAlways<number>
    at: Generated<Date>
    action: AuditAction
    actorId: number | null
    actorEmail: string | null
    companyId: number | null
    companyName: string | null
    subject: string
    address: string | null
    detail: JSONColumnType<AuditDetail>
    place: Generated<number | null>
    hash: Generated<string | null>
  }
  /**
   * One row, which only the owner of the database can write: the last removed entry and the last linked one.
   * `removedFrom`, `removedTo`: when the removed entries were made, as far as it is known.
   */
  auditChain: {
    removedPlace: number
    removedHash: string
    removedFrom: Date | null
    removedTo: Date | null
    lastPlace: number
    lastHash: string
    retentionDays: number | null
  }
  /** `id`: the thumbprint of RFC 7638. The other two are `x` and `d` of a JSON Web Key. */
  receiptKeys: { id: string; publicKey: string; privateKey: string; createdAt: Generated<Date> }
  /** Who a user is at an identity provider. */
  userIdentities: { userId: number; issuer: string; subject: string; createdAt: Generated<Date> }
  signOnTickets: { tokenHash: string; userId: number; expiresAt: Date } & SessionOrigin
  /** Logouts of an identity provider that arrived, so that one that is sent again ends no later session. */
  providerLogouts: { idHash: string; expiresAt: Date }
  storageIdentity: { id: string; isConfirmed: Generated<boolean>; createdAt: Generated<Date> }
  /** `granted`: the attempts that the last count added. */
  rateLimits: { key: Buffer; emptiesAt: Date; granted: number }
}

type SubmissionCauseTable = {
  submissionId: number
  place: number
  causeId: string
  cause: JSONColumnType<Cause>
  /** The first rows, each with its first errors of this cause. */
  rows: JSONColumnType<RowReport[]>
}

/** null unless it began by single sign-on, and in older rows. Not all providers name their sessions. */
export type SessionOrigin = {
  issuer: string | null
  subject: string | null
  providerSessionId: string | null
}

export type AuditEntryRow = Selectable<Database['auditEntries']>
export type AuditChainRow = Selectable<Database['auditChain']>
export type UserRow = Selectable<Database['users']>
export type CompanyRow = Selectable<Database['companies']>
export type CompanyTokenRow = Selectable<Database['companyTokens']>
export type SessionRow = Selectable<Database['sessions']>
export type ImpactRow = Selectable<Database['impacts']>
export type DictionaryRow = Selectable<Database['dictionaries']>
export type FieldRow = Selectable<Database['fields']>
export type SubmissionRow = Selectable<Database['submissions']>
export type WebhookRow = Selectable<Database['webhooks']>
export type WebhookDeliveryRow = Selectable<Database['webhookDeliveries']>
export type MailRow = Selectable<Database['mails']>
