import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { dictionaryLimits } from '@veridict/contract/limits'
import { correctionRefusals } from '@veridict/contract/messages/structure'
import { readAnswers, type WrittenChoice } from '@veridict/contract/notation/correction-answers'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { type FileProblem, fileProblemText, type Warnings } from '@veridict/contract/model/verdict'
import {
  type ByteSource,
  type DatedRuleBook,
  FileProblemError,
  portalGuards,
  proposeFields,
  readDictionary,
  readTableSchema,
  validateTable,
} from '@veridict/engine'
import {
  bytesSource,
  type ErrorFileKind,
  nodePlatform,
  validateFile,
  writeCorrectedFile,
  writeErrorFile,
  writeTemplateFile,
} from '@veridict/engine-node'
import type { ComparedDictionary } from '@veridict/engine/compare-dictionaries'
import { countsOf, type ReportedErrors } from '#platform/database/pack-causes.ts'
import { type PackedReports, packReports } from '#platform/database/pack-reports.ts'
import {
  type FileToValidate,
  type LocalFileToValidate,
  type ValidationResult,
  ValidatorError,
} from '#platform/validator/validator.ts'

/** The program of a validator process: handles one request at a time until its parent ends it or dies. */

/** A workbook has at most 1 MiB; one that unpacks to more than this was not written by people. */
const importLimits = {
  ...portalGuards,
  maxUnpackedBytes: dictionaryLimits.maxUnpackedImportBytes,
  maxColumns: dictionaryLimits.maxImportColumns,
}
/** A lower priority than the web server, which uses the same cores. */
const NICENESS = 5
/** A process that compares does nothing else; it gets what all others leave. */
const LOWEST_PRIORITY = 19

yieldToServer(NICENESS)
// What it writes are generated files, for this account only.
process.umask(0o077)
process.on('disconnect', () => process.exit())
let onAnswer = (_answer: unknown) => {}
process.on('message', async (message: ValidatorRequest | Answer) => {
  if ('answer' in message) return onAnswer(message.answer)
  const outcome = await handle(message).catch(failureOf)
  const reply: ValidatorReply = { residentBytes: process.memoryUsage.rss(), ...outcome }
  send(reply)
  // Written now, as this process ends without warning: the next starts in a quarter of the time, with two
  // thirds of the memory.
  flushCompileCache()
})

/** What the pool sends to a validator process, one request at a time. */
export type ValidatorRequest = {
  [Work in keyof ValidatorWorks]: { work: Work; request: RequestOf<Work> }
}[keyof ValidatorWorks]
export type RequestOf<Work extends keyof ValidatorWorks> = Parameters<ValidatorWorks[Work]>[0]
export type ResultOf<Work extends keyof ValidatorWorks> = Awaited<ReturnType<ValidatorWorks[Work]>>

/** `failed`: a stack. `residentBytes` lets the pool replace a process that has grown. */
export type ValidatorReply = { residentBytes: number } & Outcome
type Outcome =
  | { result: unknown }
  | { refused: Pick<ValidatorError, 'reason' | 'message'> }
  | { failed: string }

/** Asks to store reports, so that it is never faster than the database, or for bytes from `readFrom`. */
export type Question = { reports: PackedReports } | { readFrom: number; length: number }
/** The bytes, or nothing. */
export type Answer = { answer: unknown }

async function handle({ work, request }: ValidatorRequest): Promise<Outcome> {
  const doWork = works[work] as (request: unknown) => Promise<unknown>
  return { result: await doWork(request) }
}

/** What a validator process does; each may fail with a `ValidatorError`. */
const works = {
  validate,
  propose: ({ fileName, bytes }: OpenedFile) => proposeFields(openedFile(bytes, fileName)),
  /** For each regular expression of a dictionary, a sentence that says why it cannot be used, or null. */
  async checkPatterns(patterns: readonly string[]) {
    // Imported when needed: validation does not use it.
    const { patternChecker } = await import('@veridict/engine/check-pattern')
    return patterns.map(patternChecker())
  },
  /** `book` may be anything. `fields`: as they will be. `changed`: a field's change, which rules follow. */
  async checkRuleBook({ book, fields, changed }: RuleBookToCheck) {
    const { adaptRuleBook, checkRuleBook } = await import('@veridict/engine/check-rule-book')
    const platform = nodePlatform()
    const adapted = changed ? adaptRuleBook(book as RuleBook, changed.before, changed.after, platform) : book
    return checkRuleBook(adapted, fields, platform)
  },
  /** Checks a row that a person typed in: the texts of its cells by the names of their fields. */
  async tryRow({ fields, ruleBook, row }: Fields & { row: Readonly<Record<string, string>> }) {
    const { rowTrial } = await import('@veridict/engine/try-row')
    return (await rowTrial(fields, ruleBook, nodePlatform()))(row)
  },
  /** Has the lowest priority, so that it delays none that people uploaded. */
  async compare({ bytes, before, after, fileName }: OpenedFile & Compared) {
    yieldToServer(LOWEST_PRIORITY)
    const { compareDictionaries } = await import('@veridict/engine/compare-dictionaries')
    return compareDictionaries(openedFile(bytes, fileName), before, after)
  },
  readDictionary: ({ fileName, bytes }: OpenedFile) =>
    readDictionary({ ...openedFile(bytes, fileName), limits: importLimits }),
  readTableSchema: (json: string) => readTableSchema(json, nodePlatform()),
  /** Writes the blank workbook of a dictionary. */
  writeTemplate: ({ dictionary, outputPath }: { dictionary: Dictionary; outputPath: string }) =>
    writeTemplateFile(dictionary, outputPath),
  /** `unreadable` if the source is broken in a part that only the highlighted file needs. */
  async writeErrorFile({ kind, file, outputPath }: FileToWrite & { kind: ErrorFileKind }) {
    const { path, fileName, fields, ruleBook } = file
    await writeErrorFile(kind, path, fileName, fields, outputPath, { ruleBook })
  },
  async writeCorrectedFile({ choice, file, outputPath }: FileToWrite & { choice: WrittenChoice }) {
    const { path, fileName, fields, ruleBook } = file
    const answers = readAnswers(choice)
    if (typeof answers === 'string')
      throw new ValidatorError('wrongAnswer', correctionRefusals.noAnswer(answers))
    const options = { causes: choice.causes, answers, ruleBook }
    const copy = await writeCorrectedFile(path, fileName, fields, outputPath, options)
    if (copy.kind === 'fileProblem') throw unreadable(copy.problem)
    if (copy.kind === 'refused') throw new ValidatorError('wrongAnswer', copy.reason)
    if (copy.kind === 'unknownCauses')
      throw new ValidatorError('unknownCause', `No cause ${copy.ids.join(', ')}`)
  },
}
export type ValidatorWorks = typeof works
type Fields = { fields: readonly Field[]; ruleBook: DatedRuleBook }
type RuleBookToCheck = { book: unknown; fields: readonly Field[]; changed?: { before: Field; after: Field } }
type OpenedFile = { fileName: string; bytes: Uint8Array }
type Compared = { before: ComparedDictionary; after: ComparedDictionary }
/** `outputPath` must not exist. */
type FileToWrite = { file: LocalFileToValidate; outputPath: string }

const openedFile = (bytes: Uint8Array, fileName: string) => ({
  source: bytesSource(bytes),
  fileName,
  platform: nodePlatform(),
  limits: portalGuards,
})

const unreadable = (problem: FileProblem) => new ValidatorError('unreadable', fileProblemText(problem))

/** A file whose bytes this process opens itself, or asks for. */
type SentFile = LocalFileToValidate | Omit<Exclude<FileToValidate, LocalFileToValidate>, 'read'>

async function validate(file: SentFile): Promise<ValidationResult> {
  const { fileName, fields, ruleBook } = file
  const platform = nodePlatform()
  const verdict =
    'path' in file
      ? await validateFile(file.path, fileName, fields, { ruleBook })
      : await validateTable({ source: sentSource(file.size), fileName, fields, ruleBook, platform })
  if (verdict.kind === 'fileProblem') return verdict
  const { warnings, ...counted } = verdict
  const places = new Map(ruleBook?.rules.map(({ name }, index) => [name, index]))
  warnings?.causes.sort((one, other) => places.get(one.rule!)! - places.get(other.rule!)!)
  const { rows, causes, causeRows, ...result } =
    counted.kind === 'passed' ? { ...counted, rows: [], causes: [], causeRows: [] } : counted
  await sendReports({ rows, causes, causeRows }, warnings)
  const warned = warnings && { warnings: countsOfWarnings(warnings) }
  if (result.kind === 'passed') return { ...result, ...warned }
  return { ...result, ...warned, causeCounts: countsOf(causes), causesCount: causes.length }
}

const countsOfWarnings = ({ warningCount, warningRowCount }: Warnings) => ({ warningCount, warningRowCount })

/** A file whose bytes come from the parent, one part after the other. */
const sentSource = (size: number): ByteSource => ({
  size,
  async read(into, readFrom) {
    const part = (await ask({ readFrom, length: into.length })) as Uint8Array
    into.set(part)
    return part.length
  },
})

// Without a parent there is nothing left to do.
const send = (message: ValidatorReply | Question): void =>
  void process.send?.(message, undefined, undefined, (error) => error && process.exit())

const ask = (question: Question): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers()
  onAnswer = resolve
  send(question)
  return promise
}

async function sendReports(errors: ReportedErrors, warnings: Warnings | undefined): Promise<void> {
  for (const reports of packReports(errors, warnings)) await ask({ reports })
}

/** A refusal, or else a bug or a broken disk, as a stack for the log. */
function failureOf(error: unknown): Outcome {
  const refusal = error instanceof FileProblemError ? unreadable(error.problem) : error
  if (refusal instanceof ValidatorError)
    return { refused: { reason: refusal.reason, message: refusal.message } }
  return { failed: error instanceof Error ? String(error.stack) : String(error) }
}

/** Lower priority; and on Linux, out of memory, the kernel ends this process before the server. */
function yieldToServer(niceness: number): void {
  try {
    setPriority(niceness)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not on every system, and nothing depends on it.
  }
}
