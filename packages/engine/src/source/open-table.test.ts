import { describe, expect, it } from 'vitest'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { portalGuards } from '#limits.ts'
import { openTable } from '#source/open-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()
const ascii = (text: string) => platform.encodeUtf8(text)
const ole = (rest: string) =>
  Uint8Array.from(
    [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...rest].map((part) =>
      typeof part === 'string' ? part.charCodeAt(0) : part,
    ),
  )
const utf16 = (text: string) => [...text].map((character) => `${character}\0`).join('')
const workbook = buildWorkbook({ rows: '<row r="1"><c r="A1" t="str"><v>a</v></c></row>' })

async function kindOf(bytes: Uint8Array, fileName: string): Promise<string> {
  try {
    const source = bytesSource(bytes)
    const table = await openTable({ source, fileName, fields: [], platform, limits: portalGuards })
    return table.terminators.kind === 'xml' ? 'xlsx' : 'csv'
  } catch (error) {
    if (error instanceof FileProblemError) return `${error.problem.errorType}: ${error.message}`
    throw error
  }
}

describe('A file', () => {
  it.for([
    { bytes: ascii('a,b\n'), fileName: 'data.csv', is: 'csv', why: 'text named .csv' },
    { bytes: workbook, fileName: 'DATA.XLSX', is: 'xlsx', why: 'a workbook named .xlsx, in any case' },
    {
      bytes: ascii('a,b\n'),
      fileName: 'data.txt',
      is: 'csv',
      why: 'with any other name, the content decides',
    },
    { bytes: workbook, fileName: 'data', is: 'xlsx', why: 'a workbook without an ending' },
    {
      bytes: workbook,
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is an Excel workbook',
      why: 'a workbook named .csv',
    },
    {
      bytes: ascii('a,b\n'),
      fileName: 'data.xlsx',
      is: '3: The file is named .xlsx, but it is a text file',
      why: 'text named .xlsx',
    },
    {
      bytes: ascii('PAR1,PAR2\n'),
      fileName: 'data.csv',
      is: 'csv',
      why: 'a label like the start of a Parquet file',
    },
    {
      bytes: ascii('PAR1\x15\x04'),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is a Parquet file',
      why: 'a Parquet file',
    },
    {
      bytes: ascii('\ufeff\r\n <!DOCTYPE html>\n'),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is a web page',
      why: 'a web page named .csv',
    },
    {
      bytes: ascii('<TABLE border=1>'),
      fileName: 'data.xlsx',
      is: '3: The file is named .xlsx, but it is a web page',
      why: 'a table of a web page',
    },
    {
      bytes: ascii('<?xml version="1.0"?>'),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is an XML document',
      why: 'XML',
    },
    {
      bytes: ascii('[\n  {"a": 1,'),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is a JSON document',
      why: 'rows of JSON',
    },
    {
      bytes: ascii('[[1,2],[3,4]]'),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is a JSON document',
      why: 'lists of JSON',
    },
    {
      bytes: ascii('{"a": [1,2]}\n'),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is a JSON document',
      why: 'an object of JSON',
    },
    { bytes: ascii('[a],{b}\n'), fileName: 'data.csv', is: 'csv', why: 'labels in brackets' },
    { bytes: ascii('<BODY>;<WICK>\n'), fileName: 'data.csv', is: 'csv', why: 'labels in angle brackets' },
    { bytes: ascii('<5 years,>5 years\n'), fileName: 'data.csv', is: 'csv', why: 'labels that compare' },
    {
      bytes: ascii('%PDF-1.7'),
      fileName: 'data',
      is: '3: The file is a PDF document, not a table',
      why: 'a PDF without an ending',
    },
    {
      bytes: ascii('%PDF-1.7'),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is a PDF document',
      why: 'a PDF',
    },
    {
      bytes: ole(`${'\0'.repeat(70000)}${utf16('EncryptedPackage')}`),
      fileName: 'data.xlsx',
      is: '3: The workbook is protected by a password',
      why: 'an encrypted workbook, however late its directory comes',
    },
    {
      bytes: ole(utf16('Workbook')),
      fileName: 'data.xlsx',
      is: '3: The file is an Excel 97–2003 workbook',
      why: 'an old workbook',
    },
    {
      bytes: ole(utf16('Workbook')),
      fileName: 'data.csv',
      is: '3: The file is named .csv, but it is an old',
      why: 'an old workbook named .csv',
    },
    { bytes: ascii(''), fileName: 'data.xlsx', is: '4: The file is empty', why: 'an empty file' },
  ])('$fileName: $why', async ({ bytes, fileName, is }) =>
    expect(await kindOf(bytes, fileName)).toContain(is),
  )
})
