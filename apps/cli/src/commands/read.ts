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
  const table = await openOrRefuse(file, () =>
    withFile(file, (source) => textOf(source, basename(file), json)).catch((error: unknown) => {
      if (error instanceof FileProblemError) return error.problem
      throw error
    }),
  )
  if (typeof table !== 'string') return printProblem(table, json)
  print(table)
  return ExitCode.Passed
}

async function textOf(source: ByteSource, fileName: string, json: boolean): Promise<string | FileProblem> {
  const limits = commandLineGuards
  const table = await readTable({ source, fileName, fields: [], platform: nodePlatform(), limits })
  if (table.kind === 'fileProblem') return table.problem
  const rows: string[] = []
  const asLine = json ? (row: SourceRow) => JSON.stringify(row) : rowAsText
  for await (const batch of table.rows) for (const row of batch) rows.push(asLine(row))
  return json ? jsonTable(table.header, rows) : textTable(table.header, rows)
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
