import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { dictionaryLimits } from '@veridict/contract/limits'
import type { RowReport } from '@veridict/contract/model/cell-error'
import type { FileProblem } from '@veridict/contract/model/verdict'
import { portalGuards, readDictionary, readTableSchema, FileProblemError } from '@veridict/engine'
import {
  bytesSource,
  nodePlatform,
  proposeFile,
  validateFile,
  writeErrorsFile,
  writeHighlightedFile,
  writeTemplateFile,
} from '@veridict/engine-node'
import { packReports } from '#db/pack-reports.ts'
import type { FileToValidate, ValidationResult } from '#drivers/validator/validator.ts'
import type {
  ContinueMessage,
  ReportsMessage,
  ValidatorReply,
  ValidatorRequest,
} from '#drivers/validator/validator-messages.ts'

/**
 * The program of a validator process: answers one request at a time until its parent ends it or goes away.
 * Whatever a file does to it stays in here.
 */

type Answer = Body<Exclude<ValidatorReply, { failed: string }>>
type Body<T> = T extends unknown ? Omit<T, 'residentBytes'> : never

/** A dictionary's workbook of at most 1 MiB that unpacks to more than this is none that people made. */
const importLimits = { ...portalGuards, maxUnpackedBytes: dictionaryLimits.maxUnpackedImportBytes }
/** Somewhat behind the web server, which shares the cores with us. */
const NICENESS = 5

bePoliteToOthers()
process.on('disconnect', () => process.exit())
let goOn = () => {}
process.on('message', async (request: ValidatorRequest | ContinueMessage) => {
  if (request.kind === 'goOn') return goOn()
  const result = await answer(request).catch(failureOf)
  const reply: ValidatorReply = { residentBytes: process.memoryUsage.rss(), ...result }
  // Without a parent to take the answer there is nothing left to do here.
  process.send?.(reply, undefined, undefined, (error) => error && process.exit())
  // We are ended without warning, so what was compiled is kept now; our successor starts in a quarter of the
  // time and two thirds of the memory.
  flushCompileCache()
})

async function answer(request: ValidatorRequest): Promise<Answer> {
  switch (request.kind) {
    case 'validate':
      return { verdict: await judge(request.file) }
    case 'propose':
      return { proposal: await proposeFile(request.file.path, request.file.fileName) }
    case 'checkPatterns': {
      // Loaded when needed: judging a file seldom pays for it.
      const { patternChecker } = await import('@veridict/engine/check-pattern')
      return { refusals: request.patterns.map(patternChecker()) }
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
      return { schema: await readTableSchema(request.json) }
    case 'writeTemplate':
      await writeTemplateFile(request.dictionary, request.outputPath)
      return { written: true }
    case 'writeErrorFile': {
      const { path, fileName, fields } = request.file
      const write = request.errorFile === 'errors' ? writeErrorsFile : writeHighlightedFile
      await write(path, fileName, fields, request.outputPath)
      return { written: true }
    }
  }
}

async function judge({ path, fileName, fields }: FileToValidate): Promise<ValidationResult> {
  const verdict = await validateFile(path, fileName, fields)
  if (verdict.kind !== 'rowErrors') return verdict
  const { rows, ...judgement } = verdict
  await handOver(rows)
  return judgement
}

async function handOver(rows: readonly RowReport[]): Promise<void> {
  for (const reports of packReports(rows)) {
    const kept = new Promise<void>((resolve) => (goOn = resolve))
    process.send?.(
      { reports } satisfies ReportsMessage,
      undefined,
      undefined,
      (error) => error && process.exit(),
    )
    await kept
  }
}

/** The file's own fault, or else a bug or a broken disk, as a stack for the log. */
function failureOf(error: unknown): { problem: FileProblem } | { failed: string } {
  if (error instanceof FileProblemError) return { problem: error.problem }
  return { failed: error instanceof Error ? String(error.stack) : String(error) }
}

/**
 * Lower priority; and where the kernel has to end somebody for want of memory, this process rather than the
 * server (Linux).
 */
function bePoliteToOthers(): void {
  try {
    setPriority(NICENESS)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems have no such thing, and it is only a courtesy.
  }
}
