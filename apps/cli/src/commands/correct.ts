import { basename } from 'node:path'
import { correctionTexts } from '@veridict/contract/messages/error-files'
import { fileProblemText, type Verdict } from '@veridict/contract/model/verdict'
import { readAnswers, type WrittenChoice } from '@veridict/contract/notation/correction-answers'
import { writeCount } from '@veridict/contract/notation/count'
import { commandLineGuards, type CorrectionOutcome } from '@veridict/engine'
import { validateFile, writeCorrectedFile } from '@veridict/engine-node'
import type { ValidateArguments } from '#commands/validate.ts'
import { ExitCode, UsageError, openOrRefuse, refuseInputs } from '#exit-code.ts'
import { dayOf, loadDictionary } from '#load-dictionary.ts'
import { causeLine } from '#print/verdict-text.ts'
import { asJson, printable, print } from '#print/print.ts'

// Not imported: see fresh-bundle.ts.
const { copyFileSync } = process.getBuiltinModule('node:fs')

type CorrectArguments = Pick<ValidateArguments, 'file' | 'dictionary' | 'json' | 'on'> &
  Pick<WrittenChoice, 'choose' | 'map'> & {
    out: string
    /** The ids of the causes to correct; empty for all causes. */
    causes: readonly string[]
  }

/**
 * `veridict correct`: never overwrites the file or the dictionary, and copies a file with a file problem
 * unchanged.
 */
export async function correct(args: CorrectArguments): Promise<ExitCode> {
  const { file, dictionary, out, causes, json, on, choose, map } = args
  const { fields, ...loaded } = await loadDictionary(dictionary)
  const options = { limits: commandLineGuards, ruleBook: { ...loaded.ruleBook, day: dayOf(on) } }
  await refuseInputs(out, { file, dictionary })
  const ids = causes.length === 0 ? null : causes
  const answers = readAnswers({ choose, map })
  if (typeof answers === 'string')
    throw new UsageError(`An answer is --choose ID=VALUE or --map ID:FROM=TO, not '${printable(answers)}'.`)
  const written = await openOrRefuse(file, () =>
    writeCorrectedFile(file, basename(file), fields, out, { ...options, causes: ids, answers }),
  )
  if (written.kind === 'refused') throw new UsageError(printable(written.reason))
  if (written.kind === 'unknownCauses') throw new UsageError(unknownCauses(written.ids, file))
  if (written.kind === 'fileProblem') {
    await openOrRefuse(out, () => copyFileSync(file, out))
    process.stderr.write(`${printable(fileProblemText(written.problem))}\n`)
    return report(0, [], null, json)
  }
  const { outcome } = written
  process.stderr.write(linesOf(outcome).join(''))
  const limits = { maxErrorRows: 0, maxCauseRows: 0 }
  const verdict = await validateFile(out, basename(file), fields, { ...options, ...limits })
  const cellsAdded = outcome.causes.filter((done) => done.corrected > 0 && done.cause.kind === 'shortRows')
  const kinds = [...outcome.structure, ...cellsAdded.map(({ cause }) => cause)].map(({ kind }) => kind)
  return report(outcome.corrected, kinds, remainingIn(verdict), json)
}

function unknownCauses(ids: readonly string[], file: string): string {
  const listed = ids.map((id) => `'${printable(id)}'`).join(', ')
  return `${file} has no cause ${listed}; veridict validate --json lists its causes.`
}

/** The number of bad cells of the copy; null if it has a file problem, so that they were not counted. */
function remainingIn(verdict: Verdict): number | null {
  if (verdict.kind === 'passed') return 0
  if (verdict.kind === 'rowErrors') return verdict.cellErrorCount
  process.stderr.write(`${printable(fileProblemText(verdict.problem))}\n`)
  return null
}

/** Lines for people: what was corrected, by cause, what was changed with it, and what could not be. */
function linesOf({ causes, skipped, passedWrong, structure, removed }: CorrectionOutcome): string[] {
  const corrected = causes
    .filter((cause) => cause.corrected > 0)
    .map(({ cause, corrected: count }) => causeLine(count, cause))
  const before = [
    ...structure.map(({ message }) => correctionTexts.structure(message)),
    ...removed.map(correctionTexts.removed),
  ]
  const others = [
    ...passedWrong.map(({ label, cells }) => correctionTexts.passedWrong(label, cells)),
    ...(skipped > 0 ? [correctionTexts.left(skipped)] : []),
  ]
  return [...before.map(printable), ...corrected, ...others.map(printable)].map((line) => `${line}\n`)
}

function report(
  corrected: number,
  structure: readonly string[],
  remaining: number | null,
  json: boolean,
): ExitCode {
  const left = remaining === null ? 'unknown' : writeCount(remaining)
  const sentence = `Corrected: ${writeCount(corrected)}. Bad cells that remain: ${left}.`
  print(json ? asJson({ corrected, structure, remaining }) : `${sentence}\n`)
  return remaining === 0 ? ExitCode.Passed : ExitCode.NotPassed
}
