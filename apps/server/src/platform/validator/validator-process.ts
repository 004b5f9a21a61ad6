import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { dictionaryLimits } from '@veridict/contract/limits'
import { correctionRefusals } from '@veridict/contract/messages/structure'
import { readAnswers } from '@veridict/contract/notation/correction-answers'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import type { FileProblem, Warnings } from '@veridict/contract/model/verdict'
import {
  type ByteSource,
  FileProblemError,
  portalGuards,
  readDictionary,
  readTableSchema,
  validateTable,
} from '@veridict/engine'
import {
  bytesSource,
  nodePlatform,
  proposeFile,
  validateFile,
  writeCorrectedFile,
  writeErrorsFile,
  writeHighlightedFile,
  writeTemplateFile,
} from '@veridict/engine-node'
import { countsOf, type ReportedErrors } from '#platform/database/pack-causes.ts'
import { packReports } from '#platform/database/pack-reports.ts'
import type { ValidationResult } from '#platform/validator/validator.ts'
import type {
  BytesMessage,
  ContinueMessage,
  ReadMessage,
  ReportsMessage,
  SentFile,
  ValidatorReply,
  ValidatorRequest,
} from '#platform/validator/validator-messages.ts'

/** The program of a validator process: handles one request at a time until its parent ends it or dies. */

type Result = Body<Exclude<ValidatorReply, { failed: string }>>
type Body<T> = T extends unknown ? Omit<T, 'residentBytes'> : never

/**
 * A dictionary's workbook has at most 1 MiB; one that unpacks to more than this was not written by people.
 */
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
let reportsStored = () => {}
let bytesRead = (_bytes: Uint8Array) => {}
process.on('message', async (request: ValidatorRequest | ContinueMessage | BytesMessage) => {
  if (request.kind === 'continue') return reportsStored()
  if (request.kind === 'bytes') return bytesRead(request.bytes)
  const result = await handle(request).catch(failureOf)
  const reply: ValidatorReply = { residentBytes: process.memoryUsage.rss(), ...result }
  // Without a parent there is nothing left to do.
  process.send?.(reply, undefined, undefined, (error) => error && process.exit())
  // This process ends without warning, so the compile cache is written now: the next one starts in a quarter
  // of the time, with two thirds of the memory.
  flushCompileCache()
})

async function handle(request: ValidatorRequest): Promise<Result> {
  switch (request.kind) {
    case 'validate':
      return { verdict: await validate(request.file) }
    case 'propose':
      return { proposal: await proposeFile(request.file.path, request.file.fileName) }
    case 'checkPatterns': {
      // Imported when needed: validation does not use it.
      const { patternChecker } = await import('@veridict/engine/check-pattern')
      return { refusals: request.patterns.map(patternChecker()) }
    }
    case 'checkRuleBook': {
      const { adaptRuleBook, checkRuleBook } = await import('@veridict/engine/check-rule-book')
      const { book, fields, changed } = request
      const platform = nodePlatform()
      const adapted = changed
        ? adaptRuleBook(book as RuleBook, changed.before, changed.after, platform)
        : book
      return { checked: checkRuleBook(adapted, fields, platform) }
    }
    case 'tryRow': {
      const { rowTrial } = await import('@veridict/engine/try-row')
      return { tried: (await rowTrial(request.fields, request.ruleBook, nodePlatform()))(request.row) }
    }
    case 'compare': {
      yieldToServer(LOWEST_PRIORITY)
      const { compareDictionaries } = await import('@veridict/engine/compare-dictionaries')
      const { fileName, bytes, before, after } = request
      const file = { source: bytesSource(bytes), fileName, platform: nodePlatform(), limits: portalGuards }
      return { compared: await compareDictionaries(file, before, after) }
    }
    case 'readDictionary': {
      const [source, platform] = [bytesSource(request.bytes), nodePlatform()]
      return {
        dictionary: await readDictionary({
          source,
          fileName: request.fileName,
          platform,
          limits: importLimits,
        }),
      }
    }
    case 'readTableSchema':
      return { schema: await readTableSchema(request.json, nodePlatform()) }
    case 'writeTemplate':
      await writeTemplateFile(request.dictionary, request.outputPath)
      return { written: true }
    case 'writeErrorFile': {
      const { path, fileName, fields, ruleBook } = request.file
      const write = request.errorFile === 'errors' ? writeErrorsFile : writeHighlightedFile
      await write(path, fileName, fields, request.outputPath, { ruleBook })
      return { written: true }
    }
    case 'writeCorrectedFile': {
      const { path, fileName, fields, ruleBook } = request.file
      const { outputPath, choice } = request
      const answers = readAnswers(choice)
      if (typeof answers === 'string') return { refused: correctionRefusals.noAnswer(answers) }
      const options = { causes: choice.causes, answers, ruleBook }
      const copy = await writeCorrectedFile(path, fileName, fields, outputPath, options)
      if (copy.kind === 'fileProblem') return { problem: copy.problem }
      if (copy.kind === 'refused') return { refused: copy.reason }
      return copy.kind === 'unknownCauses' ? { unknownCauses: copy.ids } : { written: true }
    }
  }
}

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
    const bytes = new Promise<Uint8Array>((resolve) => (bytesRead = resolve))
    send({ readFrom, length: into.length })
    const part = await bytes
    into.set(part)
    return part.length
  },
})

const send = (message: ReadMessage | ReportsMessage): void =>
  void process.send?.(message, undefined, undefined, (error) => error && process.exit())

async function sendReports(errors: ReportedErrors, warnings: Warnings | undefined): Promise<void> {
  for (const reports of packReports(errors, warnings)) {
    const stored = new Promise<void>((resolve) => (reportsStored = resolve))
    send({ reports })
    await stored
  }
}

/** A file that cannot be read, or else a bug or a broken disk, as a stack for the log. */
function failureOf(error: unknown): { problem: FileProblem } | { failed: string } {
  if (error instanceof FileProblemError) return { problem: error.problem }
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
