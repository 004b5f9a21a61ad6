import { basename } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import { commandLineGuards, type DatedRuleBook } from '@veridict/engine'
import { type ErrorFileKind, validateFile, writeErrorFile } from '@veridict/engine-node'
import { ExitCode, openOrRefuse, refuseInputs, refuseSameFile } from '#exit-code.ts'
import { dayOf, loadDictionary } from '#load-dictionary.ts'
import { asJson, print } from '#print/print.ts'
import { jsonVerdict } from '#print/verdict-json.ts'
import { verdictAsText } from '#print/verdict-text.ts'

const MIB = 1 << 20
/** Below 64 MiB a thread costs as much time as it saves; more than four need memory but save little time. */
const threads = {
  get count() {
    return Math.min(process.getBuiltinModule('node:os').availableParallelism(), 4)
  },
  fromBytes: 64 * MIB,
}

/** Rows that the text shows: the causes below them say more. JSON has the first hundred, as the portal. */
const MAX_ROWS_OF_TEXT = 10

export type ValidateArguments = {
  file: string
  dictionary: string
  json: boolean
  all: boolean
  errors?: string
  highlighted?: string
  /** The day on which the rules are asked, yyyy-MM-dd; by default today's in UTC. */
  on?: string
}

/** `veridict validate`: prints the verdict and writes error files on request. No limit on size or time. */
export async function validate(args: ValidateArguments): Promise<ExitCode> {
  const { file, dictionary, json, all, on, errors, highlighted } = args
  const { fields, ...loaded } = await loadDictionary(dictionary)
  await refuseSameFiles(args)
  const ruleBook = { ...loaded.ruleBook, day: dayOf(on) }
  const verdict = await openOrRefuse(file, () =>
    validateFile(file, basename(file), fields, {
      limits: commandLineGuards,
      ruleBook,
      maxErrorRows: all ? Infinity : json ? undefined : MAX_ROWS_OF_TEXT,
      // Not printed.
      maxCauseRows: 0,
      threads,
    }),
  )
  print(json ? asJson(jsonVerdict(verdict)) : verdictAsText(verdict, basename(file), process.stdout))
  await writeErrorFiles(verdict, file, { fields, ruleBook }, { errors, highlighted })
  return verdict.kind === 'passed' ? ExitCode.Passed : ExitCode.NotPassed
}

/** Before the file is read: writing empties a file. */
async function refuseSameFiles({ file, dictionary, errors, highlighted }: ValidateArguments) {
  for (const out of [errors, highlighted])
    if (out !== undefined) await refuseInputs(out, { file, dictionary })
  if (errors !== undefined && highlighted !== undefined)
    await refuseSameFile(errors, highlighted, 'also the file of --errors')
}

/** Of file problems only types 1 and 2 have one, a highlighted header. See docs/BEHAVIOUR.md#error-types. */
async function writeErrorFiles(
  verdict: Verdict,
  file: string,
  { fields, ruleBook }: { fields: readonly Field[]; ruleBook: DatedRuleBook },
  { errors, highlighted }: Pick<ValidateArguments, 'errors' | 'highlighted'>,
): Promise<void> {
  const options = { limits: commandLineGuards, ruleBook }
  const write = (kind: ErrorFileKind, path: string) =>
    openOrRefuse(path, () => writeErrorFile(kind, file, basename(file), fields, path, options))
  const hasRows =
    verdict.kind === 'rowErrors' || (verdict.kind === 'passed' && verdict.warnings !== undefined)
  const hasHeader = verdict.kind === 'fileProblem' && verdict.problem.errorType <= 2
  if (errors !== undefined && hasRows) await write('errors', errors)
  if (highlighted !== undefined && (hasRows || hasHeader)) await write('highlighted', highlighted)
  if (errors !== undefined && !hasRows)
    process.stderr.write(`${errors} was not written: there are no rows with errors.\n`)
  if (highlighted !== undefined && !hasRows && !hasHeader)
    process.stderr.write(`${highlighted} was not written: there is nothing to highlight.\n`)
}
