import { basename } from 'node:path'
import { type FileProblem, fileProblemText } from '@veridict/contract/model/verdict'
import {
  type ByteSource,
  commandLineGuards,
  readTable,
  FileProblemError,
  type SourceRow,
} from '@veridict/engine'
import { nodePlatform, withFile } from '@veridict/engine-node'
import { ExitCode, openOrRefuse } from '#exit-code.ts'
import { print, printable } from '#print/print.ts'

/** `veridict read`: prints the table as the engine reads it; nothing if it cannot read the file. */
export async function read({ file, json }: { file: string; json: boolean }): Promise<ExitCode> {
  try {
    return await openOrRefuse(file, () =>
      withFile(file, (source) => printTable(source, basename(file), json)),
    )
  } catch (error) {
    if (error instanceof FileProblemError) return printProblem(error.problem, json)
    throw error
  }
}

async function printTable(source: ByteSource, fileName: string, json: boolean): Promise<ExitCode> {
  const limits = commandLineGuards
  const table = await readTable({ source, fileName, fields: [], platform: nodePlatform(), limits })
  if (table.kind === 'fileProblem') return printProblem(table.problem, json)
  const rows: string[] = []
  const asLine = json ? (row: SourceRow) => JSON.stringify(row) : rowAsText
  for await (const batch of table.rows) for (const row of batch) rows.push(asLine(row))
  print(json ? jsonTable(table.header, rows) : textTable(table.header, rows))
  return ExitCode.Passed
}

const jsonTable = (header: readonly string[], rows: readonly string[]) =>
  `{"header":${JSON.stringify(header)},"rows":[${rows.length > 0 ? '\n' : ''}${rows.join(',\n')}]}\n`

const textTable = (header: readonly string[], rows: readonly string[]) =>
  [`Row\t${header.map(printable).join('\t')}`, ...rows].map((line) => `${line}\n`).join('')

const rowAsText = ({ rowNumber, cells }: SourceRow) => `${rowNumber}\t${cells.map(printable).join('\t')}`

function printProblem(problem: FileProblem, json: boolean): ExitCode {
  const { errorType } = problem
  const errorMessage = fileProblemText(problem)
  if (json) print(`${JSON.stringify({ verdict: 'fileProblem', errorType, errorMessage })}\n`)
  else process.stderr.write(`${errorMessage}\n`)
  return ExitCode.NotPassed
}
