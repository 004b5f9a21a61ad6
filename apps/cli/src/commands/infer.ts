import { basename } from 'node:path'
import type { Proposal } from '@veridict/contract/model/proposal'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { dictionaryNameOf } from '@veridict/contract/notation/dictionary-name'
import { commandLineGuards } from '@veridict/engine'
import { proposeFile } from '@veridict/engine-node'
import { jsonOf } from '#commands/convert.ts'
import { ExitCode, openOrRefuse } from '#exit-code.ts'
import { printable, print } from '#print/print.ts'

/** `veridict infer`: prints the dictionary that a sample suggests, and the reasons on stderr. */
export async function infer({ file }: { file: string }): Promise<ExitCode> {
  const result = await openOrRefuse(file, () => proposeFile(file, basename(file), commandLineGuards))
  if (result.kind === 'fileProblem') {
    process.stderr.write(`${fileProblemText(result.problem)}\n`)
    return ExitCode.NotPassed
  }
  process.stderr.write(explained(result.proposal))
  print(jsonOf({ name: dictionaryNameOf(basename(file)), ...result.proposal }))
  return ExitCode.Passed
}

const explained = ({ fields, notes }: Proposal): string =>
  [...notes, ...fields.map(({ name, reason }) => `${name}: ${reason}`)]
    .map((line) => `${printable(line)}\n`)
    .join('')
