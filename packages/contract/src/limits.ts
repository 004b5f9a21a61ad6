/**
 * The limits of the product, which server, page, command line and tests read only here. See
 * docs/BEHAVIOUR.md#limits. "Ours" marks a choice that only this project made.
 */

const KIB = 1024
const MIB = 1024 * KIB
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const uploadLimits = {
  maxBytes: 25 * MIB,
  extensions: ['.csv', '.xlsx'],
  /** Newest uploads of a company that are searched for the same bytes: a hint may miss some. Ours. */
  maxEarlierUploads: 1000,
} as const

export const dictionaryLimits = {
  /** Largest dictionary workbook that can be imported, in bytes (1 MiB). */
  maxImportBytes: MIB,
  /** Samples of one person that each server holds in memory at once. Ours. */
  samplesAtOnce: 4,
  maxNameLength: 150,
  /** Largest bound of a text length, in code points. */
  maxTextLengthBound: 500,
  /** Problems of an import reported one by one: people correct a cause, not thousands of cells. Ours. */
  maxImportProblems: 1000,
  /** What a dictionary's workbook may unpack to, in bytes: it is read within the request. Ours. */
  maxUnpackedImportBytes: 32 * MIB,
  /** Columns of a dictionary's sheet: 18, and more for what is longer than a cell. Ours. */
  maxImportColumns: 256,
  /** Characters of all cells of a dictionary's sheets: one stored text may fill many cells. Ours. */
  maxImportCharacters: 4 * MIB,
  /** After this many problems the rest of the sheet is not read: no person corrects them one by one. Ours. */
  maxFoundProblems: 10_000,
  /**
   * Limits the length of one regular expression, and its instructions with repeats unrolled: each takes up to
   * 0.3 µs for each character of a cell. A thousand optional letters (4,003) took 120 s for a file;
   * `.{0,1000}` has 2,012. Ours.
   */
  maxPatternSize: 2500,
  /** Instructions of all patterns of a dictionary: 30 for each of 16,384 fields; seconds to compile. Ours. */
  maxPatternsSize: 500_000,
} as const

export const ruleBookLimits = {
  maxRules: 500,
  /** Rules with a `unique`: each keeps a table of all rows. */
  maxUnique: 10,
  /** Rows of the reference lists of a dictionary, together. */
  maxListRows: 5000,
  /** Bytes of their texts in UTF-8, together. */
  maxListBytes: 500_000,
  /** Days, months or years that a date can be moved by: more than from the first to the last date. Ours. */
  maxMove: 4_000_000,
  /** Values of a row that the sentence of an error names. Ours. */
  maxFacts: 5,
  /** Longest value in such a sentence, in characters. Ours. */
  maxFactLength: 60,
  /** Longest sentence of a rule in reports and e-mails: it may list thousands of values. Ours. */
  maxShownSentence: 500,
  /** Days of uploads in which the failures of each rule are counted. Ours. */
  failureDays: 90,
} as const

export const maintenanceLimits = {
  /** Characters of its sentence: encoded, it is in a header, for all of which nginx has 4 KiB. Ours. */
  maxMessageLength: 250,
} as const

export const bodyLimits = {
  /**
   * Of a call that is no upload: enough for a password of 4,096 characters, each written as `\u0041`. Parsing
   * the worst JSON blocks the server for some 20 ms, of 4 MiB for a second, and needs no account. Ours.
   */
  maxBytes: 128 * KIB,
  /** Largest body of administrators' calls: enough for the order of all fields of a dictionary. Ours. */
  maxAdministratorBytes: 4 * MIB,
  /** Objects and lists in each other; a rule between cells has eight. Ours. */
  maxDepth: 32,
  /** Only larger bodies of callers without an account are limited in number: a login has < 1 KiB. Ours. */
  maxSmallBytes: 4 * KIB,
  /** Larger bodies that each server reads at once: 8 MiB. 3,200 unfinished ones took some 400 MB. Ours. */
  largeAtOnce: 64,
  /** Of these, those of one address, so that it does not take the places of all others. Ours. */
  largeOfAddress: 8,
} as const

export const connectionLimits = {
  /**
   * Calls that a connection may send before their replies; browsers and proxies wait. Node works on all calls
   * of a read at once: 1,700 in each of 60 connections delayed another client's call by 43 s. Ours.
   */
  unanswered: 32,
  /** Sockets of one address that have not sent their handshake yet. Ours. */
  withoutHandshake: 200,
  /** Parts of a body in chunks after which their mean size counts. Ours. */
  freeParts: 1000,
  /**
   * The least mean size of these parts, in bytes; lines sent one by one are larger. Each part costs
   * microseconds and 400 bytes. Parts of a byte in 60 connections delayed another client's call by 13 s,
   * without a key; as uploads of one clerk by 17 s, and they held 2 GB. Ours.
   */
  minMeanPart: 16,
} as const

export const passwordLimits = {
  minLength: 8,
  maxLength: 128,
  /** E-mails to one person who forgot the password, however many requests there are. Ours. */
  resetsPerHour: 3,
} as const

export const guessLimits = {
  /** Wrong passwords of one account that are checked in any 24 hours, from all addresses together. */
  perDay: 100,
  /** Above `perDay`: those still checked per hour from an address that logged into the account before. */
  perHourFromKnownAddress: 10,
  /** An address or a browser counts as known for this long after its last login. Ours. */
  known: 90 * DAY,
} as const

export const auditLimits = {
  /** No entry of the audit trail is deleted earlier, whatever AUDIT_RETENTION_DAYS says. Ours. */
  minRetentionDays: 30,
  /**
   * Recorded failed logins of e-mails without an account: in a burst, and the seconds for each further one.
   * At 2 kB for `AUDIT_RETENTION_DAYS`, callers without an account could else fill 2 to 3 GB a day. Ours.
   */
  failuresAtOnce: 1_000,
  secondsPerFailure: 10,
} as const

export const nameLimits = {
  /** Longest name of a person, company or field, and longest e-mail address (RFC 5321 allows 254). Ours. */
  maxLength: 254,
  /** Longest description, address or category. Ours. */
  maxTextLength: 2000,
  /** Longest storage folder: one path segment on every file system. */
  maxStorageFolderLength: 100,
} as const

export const companyTokenLimits = {
  maxDays: 366,
  /** The e-mail about its end comes so many days before it; tokens for no longer than that get none. Ours. */
  noticeDays: 14,
} as const

export const webhookLimits = {
  /** Longest address, in characters. Ours. */
  maxUrlLength: 2000,
  /** A receiver that has not responded after this has failed. Ours. */
  timeout: 10 * SECOND,
} as const

export const pageSizes = {
  default: 10,
  companyUsers: 5,
  fileErrors: 10,
  /** Lines of a dictionary's history that are read at once. Ours. */
  dictionaryVersions: 20,
  /** The most rows that a call returns at once. */
  max: 100_000,
  /** Rows of a list that may be very long are counted no further than this. */
  maxCount: 10_000,
} as const

export const errorScreenLimits = {
  /** Rows with errors that the screen shows and the database keeps. */
  maxRows: 100,
  /** Errors of a row shown before "View all". */
  maxErrorsPerRow: 5,
  /** Longest cell value shown in a report, in characters. */
  maxValueLength: 500,
  /** Causes that the screen shows and the database keeps. */
  maxCauses: 50,
  maxRowsPerCause: 20,
  /** Characters of a remembered answer for many values, as JSON: reports read those of their columns. */
  maxAnswerLength: 65_536,
  /** Values shown of each cause, each with its suggestion. Ours. */
  maxExamples: 5,
  /** Values of a list named in an expectation. */
  maxListedOptions: 10,
} as const

/** What a worksheet can hold: the bounds of Excel. Every workbook that we write keeps to them. */
export const worksheetBounds = {
  maxRows: 1_048_576,
  maxColumns: 16_384,
  /** Characters in a cell or a note, in UTF-16 code units. */
  maxCellLength: 32_767,
} as const

/** Against hostile or very large files. Some do not apply on the command line (`commandLineGuards`). */
export const fileGuards = {
  maxUnpackedBytes: 300 * MIB,
  maxZipParts: 1000,
  maxRows: worksheetBounds.maxRows,
  maxColumns: worksheetBounds.maxColumns,
  maxCellLength: worksheetBounds.maxCellLength,
  maxMilliseconds: 120 * SECOND,
} as const

export const errorFileLimits = {
  /** Bad cells of the Highlighted workbook that carry a note; all are filled. */
  maxNotes: 10_000,
  /** Corrected cells that the last sheet of a corrected copy lists; all are green. Ours. */
  maxListedCorrections: 10_000,
} as const

export const logLimits = {
  /** Refused calls logged in a minute: without a limit, one client made 5,000 a second, 80 GB a day. Ours. */
  refusalsPerAddress: 300,
  /** Logged refusals of all addresses together in a minute. Ours. */
  refusals: 3000,
} as const

export const downloadLimits = {
  /** Downloads of one person that are made or sent at once. Ours. */
  perPerson: 4,
  /** Downloads that one person may begin in a minute: each is an entry of the audit trail. Ours. */
  perMinute: 600,
  /** A client that reads no byte of a download, or of another reply, for this long is disconnected. Ours. */
  stalled: MINUTE,
} as const

export const callLimits = {
  /**
   * Calls of one person that each server works on at a time, except uploads; more calls wait. Twenty
   * connections with 100 at once each delayed calls of others from 7 ms to 0.7 s. A browser sends 6. Ours.
   */
  atOnce: 8,
  /** Calls of one person that may wait for their turn: more than a token may send in a burst. Ours. */
  waiting: 2000,
  /** All bodies of one person's waiting calls: 2,000 of 128 KiB would fill 256 MB. Ours. */
  waitingBytes: 16 * MIB,
} as const

export const sessionLimits = {
  /**
   * With one more session, the one used least recently ends. Far more than people need: a program that logs
   * in for each of its runs must not end the session of another. Ours.
   */
  perPerson: 1_000,
  /**
   * Logins of one person with the right password, in a burst, and the seconds for each further one: each is a
   * session and an entry of the audit trail. One clerk made 24 a second. Ours.
   */
  loginsAtOnce: 1_000,
  secondsPerLogin: 1,
} as const

export const sessionTimes = {
  /** The client refreshes this long before expiry. */
  refreshLead: 2 * MINUTE,
  accessToken: 15 * MINUTE,
  refreshToken: 7 * DAY,
  /** A session ends this long after its login, however often it is refreshed. */
  longest: 30 * DAY,
  /** For this long, the previous refresh token still gives the same successor (two tabs). */
  refreshGrace: 30 * SECOND,
  resetLink: 60 * MINUTE,
  invitationLink: 7 * DAY,
} as const

export const storageErrorTimes = {
  /** A storage error is purged this long after upload. */
  purgeAfterDays: 90,
  /** The uploader is warned this many days before. */
  warnBeforeDays: 7,
  /** It is tried again after so many minutes, then after twice as many, and so on: for a day. Ours. */
  retryAfterMinutes: 10,
  maxRetries: 7,
} as const

export const liveTimes = {
  /** A socket that sends no handshake within this time is closed (4408). */
  handshake: 10 * SECOND,
} as const

export const noticeLimits = { maxAtOnce: 5, autoClose: 4 * SECOND } as const

export const replyLimits = {
  /**
   * Longest reply that the command line reads, in bytes; the names of 100,000 dictionaries have less. Without
   * a limit, any server could fill the memory. Ours.
   */
  maxBytes: 32 * MIB,
} as const

export const interfaceTimes = {
  /** Long press that starts a drag. */
  dragLongPress: 120,
} as const
