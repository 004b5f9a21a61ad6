import type { RowRule } from '@veridict/contract/model/row-rule'
import { validateFile } from '@veridict/engine-node'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ColumnKernel } from '../../packages/engine/src/fast-path/column-kernel.ts'
import { RowValidator } from '../../packages/engine/src/source/xlsx/row-validator.ts'
import type { Comparison } from '../comparisons.ts'
import type { Counts, Job } from '../findings.ts'
import claimsRules from '../generate/claims-rules.json' with { type: 'json' }
import type { DataFile } from '../generate/data-files.ts'
import type { Truth } from '../generate/rows.ts'
import { type ProgramEntry, type ProgramName, programs } from '../programs.ts'
import { measureProcess, ProgramFailed, type Usage } from './measure-process.ts'

/** A program that takes longer than this runs only once: its warm-up is its result. */
const SLOW_SECONDS = 20
/** One that takes less runs three times as often, since other load changes its time by a tenth. */
const QUICK_SECONDS = 1
const QUICK_ROUNDS = 3

export type Measured = {
  program: ProgramName
  runs: Usage[]
  /** Why there are no figures, or why they are invalid. */
  problem: string | null
  /** The rows that the kernel doubts; null for other programs than ours. */
  doubts: number | null
}

/**
 * Every program runs once to warm up, which also checks its result, then in `rounds` rounds in turn, so that
 * other load affects all, and quick ones in further rounds. Each round begins with another program.
 */
export async function runComparison(
  { rules: ruleSet, programs: all }: Comparison,
  file: DataFile,
  { rounds, only, folder }: { rounds: number; only: readonly ProgramName[]; folder: string },
): Promise<Measured[]> {
  const rules = ruleSet && (claimsRules[ruleSet] as RowRule[])
  const measuredPrograms = all
    .filter((name) => only.includes(name))
    .map((name) => prepareProgram(name, file, { rounds, folder, rules }))
  const badCells: (number | undefined)[] = []
  for (const program of measuredPrograms) badCells.push(await program.warmUp())
  // The generator does not know how many errors rules find.
  if (rules !== undefined && new Set(badCells.filter((count) => count !== undefined)).size > 1)
    for (const [index, { measured }] of measuredPrograms.entries())
      measured.problem ??= `${badCells[index]} errors`
  for (let round = 0; round < rounds * QUICK_ROUNDS; round++) {
    const first = round % measuredPrograms.length
    const inTurn = [...measuredPrograms.slice(first), ...measuredPrograms.slice(0, first)]
    for (const program of inTurn) await program.run(round)
  }
  return measuredPrograms.map(({ measured }) => measured)
}

function prepareProgram(
  name: ProgramName,
  file: DataFile,
  { rounds, folder, rules }: { rounds: number; folder: string; rules: Job['rules'] },
) {
  const { path, dictionaryPath, dictionary } = file
  const entry: ProgramEntry = programs[name]
  const outputFolder = join(folder, 'out')
  mkdirSync(outputFolder, { recursive: true })
  const outputPath = join(outputFolder, `${file.name}.${name}.xlsx`)
  const job: Job = { path, dictionaryPath, fields: dictionary.fields, rules, outputPath }
  const jobPath = join(outputFolder, `${file.name}.${name}.job.json`)
  writeFileSync(jobPath, JSON.stringify(job))
  const measure = () => measureProcess(entry.args(job, jobPath), join(folder, 'compile-cache'))
  const measured: Measured = { program: name, runs: [], problem: null, doubts: null }
  let ownRounds = 0
  return {
    measured,
    /** Checks the result, and returns how many bad cells were printed. */
    async warmUp(): Promise<number | undefined> {
      try {
        const { usage, output, errorOutput } = await measure()
        const printed = printedCounts(entry, output, errorOutput)
        if (rules === undefined) measured.problem = printed && differences(printed, file.truth)
        if (name === 'ours') {
          const doubts = (measured.doubts = await countDoubts(file))
          if (file.truth.badCells === 0 && doubts > 0) measured.problem ??= 'a kernel that doubts right cells'
        }
        if (usage.wallSeconds > SLOW_SECONDS) measured.runs.push(usage)
        else ownRounds = usage.wallSeconds < QUICK_SECONDS ? rounds * QUICK_ROUNDS : rounds
        return printed?.badCells
      } catch (error) {
        if (!(error instanceof ProgramFailed)) throw error
        measured.problem = error.message
      }
    },
    async run(round: number): Promise<void> {
      if (round < ownRounds) measured.runs.push((await measure()).usage)
    },
  }
}

/** How printed counts differ from the truth, in words; null if they do not. */
function differences(found: Counts, truth: Truth): string | null {
  const names = ['rows', 'badCells', 'positions', 'perColumn'] as const
  const wrong = names.filter((name) => found[name] !== null && String(found[name]) !== String(truth[name]))
  return wrong.length === 0
    ? null
    : wrong.map((name) => `${name} ${String(found[name])} instead of ${String(truth[name])}`).join(', ')
}

/** Of a validation in this process, which is not measured. */
async function countDoubts({ path, truth, dictionary }: DataFile): Promise<number> {
  const { check } = ColumnKernel.prototype
  const { passRows } = RowValidator.prototype
  let sure = 0
  ColumnKernel.prototype.check = function (from, end) {
    const records = check.call(this, from, end)
    sure += records - this.doubtfulCount
    return records
  }
  RowValidator.prototype.passRows = function (firstRow, count) {
    sure += count
    passRows.call(this, firstRow, count)
  }
  await validateFile(path, basename(path), dictionary.fields)
  Object.assign(ColumnKernel.prototype, { check })
  Object.assign(RowValidator.prototype, { passRows })
  return truth.rows - sure
}

function printedCounts(entry: ProgramEntry, output: string, errorOutput: string): Counts | null {
  try {
    return entry.counts(output)
  } catch {
    throw new ProgramFailed(errorOutput || output)
  }
}
