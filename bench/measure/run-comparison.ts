import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Comparison } from '../comparisons.ts'
import type { Counts } from '../findings.ts'
import type { DataFile } from '../generate/data-files.ts'
import type { Job } from '../job.ts'
import { type ProgramEntry, type ProgramName, programs } from '../programs.ts'
import { checkResult } from '../verify/check-result.ts'
import { measureProcess, ProgramFailed, type Usage } from './measure-process.ts'

/** A program that takes longer than this runs only once: its warm-up is its result. */
const SLOW_SECONDS = 20

export type Measured = {
  program: ProgramName
  runs: Usage[]
  /** Why there are no figures, or why they are invalid. */
  problem: string | null
}

/**
 * Runs every program once to warm up, which also checks its result, then in `rounds` rounds one after the
 * other, so that other load on the machine affects all of them. Each round begins with another program.
 */
export async function runComparison(
  { writesWorkbook = false, rules, programs: all }: Comparison,
  file: DataFile,
  { rounds, only, folder }: { rounds: number; only: readonly ProgramName[] | null; folder: string },
): Promise<Measured[]> {
  const measuredPrograms = all
    .filter((name) => only === null || only.includes(name))
    .map((name) => new MeasuredProgram(name, file, folder, rules))
  for (const program of measuredPrograms) await program.warmUp(writesWorkbook, file)
  // The generator does not know how many errors rules find.
  const found = new Set(measuredPrograms.flatMap(({ badCells }) => badCells ?? []))
  if (rules !== undefined && found.size > 1)
    for (const { measured, badCells } of measuredPrograms) measured.problem ??= `${badCells} errors`
  for (let round = 0; round < rounds; round++) {
    const first = round % measuredPrograms.length
    const inTurn = [...measuredPrograms.slice(first), ...measuredPrograms.slice(0, first)]
    for (const program of inTurn) await program.run()
  }
  return measuredPrograms.map(({ measured }) => measured)
}

class MeasuredProgram {
  readonly measured: Measured
  /** How many it printed. */
  badCells: number | undefined
  readonly #entry: ProgramEntry
  readonly #job: Job
  readonly #jobPath: string
  readonly #cacheFolder: string
  #isDone = false

  constructor(name: ProgramName, file: DataFile, folder: string, rules: Job['rules']) {
    const { path, dictionaryPath, dictionary } = file
    const outputFolder = join(folder, 'out')
    mkdirSync(outputFolder, { recursive: true })
    this.measured = { program: name, runs: [], problem: null }
    this.#entry = programs[name]
    this.#cacheFolder = join(folder, 'compile-cache')
    this.#job = {
      path,
      dictionaryPath,
      fields: dictionary.fields,
      rules,
      outputPath: join(outputFolder, `${file.name}.${name}.xlsx`),
    }
    this.#jobPath = join(outputFolder, `${file.name}.${name}.job.json`)
    writeFileSync(this.#jobPath, JSON.stringify(this.#job))
  }

  async warmUp(writesWorkbook: boolean, file: DataFile): Promise<void> {
    try {
      const { usage, output, errorOutput } = await this.#measure()
      const printed = this.#printedCounts(output, errorOutput)
      this.badCells = printed?.badCells
      const workbook = writesWorkbook ? this.#job.outputPath : undefined
      if (this.#job.rules === undefined)
        this.measured.problem = checkResult(this.#entry, file, printed, workbook)
      this.#isDone = usage.wallSeconds > SLOW_SECONDS
      if (this.#isDone) this.measured.runs.push(usage)
    } catch (error) {
      if (!(error instanceof ProgramFailed)) throw error
      this.measured.problem = error.message
      this.#isDone = true
    }
  }

  async run(): Promise<void> {
    if (!this.#isDone) this.measured.runs.push((await this.#measure()).usage)
  }

  #printedCounts(output: string, errorOutput: string): Counts | null {
    try {
      return this.#entry.counts(output)
    } catch {
      throw new ProgramFailed(errorOutput || output)
    }
  }

  #measure() {
    return measureProcess(this.#entry.args(this.#job, this.#jobPath), this.#cacheFolder)
  }
}
