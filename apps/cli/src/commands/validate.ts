import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import { commandLineGuards } from '@veridict/engine'
import { validateFile, writeErrorsFile, writeHighlightedFile } from '@veridict/engine-node'
import { ExitCode } from '#exit-code.ts'
import { loadDictionary } from '#load-dictionary.ts'
import { opening } from '#open-file.ts'
import { print } from '#print/print.ts'
import { progressBar } from '#print/progress-bar.ts'
import { verdictAsJson } from '#print/verdict-json.ts'
import { verdictAsText } from '#print/verdict-text.ts'

const MIB = 1 << 20
/**
 * Below 64 MiB starting a thread costs about what it saves; beyond four threads the memory grows for little
 * time.
 */
const threads = { count: Math.min(availableParallelism(), 4), fromBytes: 64 * MIB }

export type ValidateArguments = {
  file: string
  dictionary: string
  json: boolean
  all: boolean
  errors?: string
  highlighted?: string
}

/**
 * `veridict validate`: the verdict on stdout, error files where asked for. There is no bound on size or time
 * here.
 */
export async function validate({
  file,
  dictionary,
  json,
  all,
  errors,
  highlighted,
}: ValidateArguments): Promise<ExitCode> {
  const fields = await loadDictionary(dictionary)
  const progress = progressBar(process.stderr)
  const verdict = await opening(file, () =>
    validateFile(file, basename(file), fields, {
      limits: commandLineGuards,
      maxErrorRows: all ? Infinity : undefined,
      onProgress: progress.show,
      threads,
    }),
  )
  progress.clear()
  print(json ? verdictAsJson(verdict) : verdictAsText(verdict, basename(file), process.stdout))
  await writeErrorFiles(verdict, file, fields, { errors, highlighted })
  return verdict.kind === 'passed' ? ExitCode.Passed : ExitCode.NotPassed
}

/**
 * Types 1 and 2 have a highlighted header; other problems of the file as a whole have no error file.
 * Decisions, "Error types".
 */
async function writeErrorFiles(
  verdict: Verdict,
  file: string,
  fields: readonly Field[],
  { errors, highlighted }: Pick<ValidateArguments, 'errors' | 'highlighted'>,
): Promise<void> {
  const options = { limits: commandLineGuards }
  const hasRows = verdict.kind === 'rowErrors'
  const hasHeader = verdict.kind === 'fileProblem' && verdict.problem.errorType <= 2
  if (errors !== undefined && hasRows)
    await opening(errors, () => writeErrorsFile(file, basename(file), fields, errors, options))
  if (highlighted !== undefined && (hasRows || hasHeader)) {
    await opening(highlighted, () => writeHighlightedFile(file, basename(file), fields, highlighted, options))
  }
  if (errors !== undefined && !hasRows)
    process.stderr.write(`${errors} was not written: there are no rows with errors.\n`)
  if (highlighted !== undefined && !hasRows && !hasHeader)
    process.stderr.write(`${highlighted} was not written: there is nothing to highlight.\n`)
}
