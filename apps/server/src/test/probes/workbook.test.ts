import { access } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { fileGuards } from '@veridict/contract/limits'
import { ErrorType } from '@veridict/contract/model/verdict'
import { strToU8, Zip, ZipPassThrough } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  cell,
  formats,
  LargePart,
  relations,
  sheetOf,
  twoRows,
  workbookParts,
  workbookVerdict,
  zip,
} from '#test/probes/small-workbook.ts'
import { problem, textField, verdictOf } from '#test/probes/verdict-of.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/** Attacks on workbooks, numbered as in docs/PROBES.md. */
let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const MIB = 1024 * 1024

/** A server that no test may call; `close` returns the number of calls. */
async function listenForCallers() {
  let hits = 0
  const server = createServer((_, reply) => {
    hits++
    reply.end('canary')
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    return hits
  }
  return { address: `http://127.0.0.1:${port}/x`, close }
}

describe('Probe of a workbook', () => {
  it('45: a part that unpacks to more than 300 MB is beyond a limit', async () => {
    const sheet = Buffer.alloc(fileGuards.maxUnpackedBytes + MIB, ' ')
    sheet.write(sheetOf(twoRows).replace(/<\/sheetData>.*/, ''))
    sheet.write('</sheetData></worksheet>', sheet.length - 24)
    const chunks: Uint8Array[] = []
    const archive = new Zip((error, chunk) => void (error ?? chunks.push(chunk)))
    const { 'xl/worksheets/sheet1.xml': _, ...small } = workbookParts()
    for (const [name, text] of Object.entries(small)) {
      const part = new ZipPassThrough(name)
      archive.add(part)
      part.push(strToU8(text), true)
    }
    const part = new LargePart('xl/worksheets/sheet1.xml', sheet)
    archive.add(part)
    part.push(deflateRawSync(sheet, { level: 1 }), true)
    archive.end()
    const bomb = Buffer.concat(chunks)
    expect(bomb.length).toBeLessThan(4 * MIB)
    expect(await verdictOf(portal, bomb, 'bomb.xlsx')).toMatchObject(problem(ErrorType.BeyondLimit))
  })

  it('45: more than a thousand parts are beyond a limit', async () => {
    const parts = Object.fromEntries(
      Array.from({ length: 1001 }, (_, number) => [`xl/x${number}.xml`, '<x/>']),
    )
    expect(await workbookVerdict(portal, parts)).toMatchObject(problem(ErrorType.BeyondLimit))
  })

  it.for([
    {
      why: 'a cell at the last place',
      sheet: sheetOf(`${twoRows}<row r="1048576">${cell('XFD1048576', 'x')}</row>`),
    },
    {
      why: 'a dimension that is not so',
      sheet: sheetOf(twoRows).replace('<sheetData>', '<dimension ref="A1:XFD1048576"/><sheetData>'),
    },
    { why: 'a million empty rows', sheet: sheetOf(`${twoRows}${'<row/>'.repeat(1_000_000)}`) },
    {
      why: 'ten thousand merged areas',
      sheet: sheetOf(
        twoRows,
        '',
        `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(10_000)}</mergeCells>`,
      ),
    },
  ])('46: $why is read within the limits', async ({ sheet }) => {
    const verdict = await workbookVerdict(portal, { 'xl/worksheets/sheet1.xml': sheet })
    expect(['passed', 'rowErrors', 'fileProblem']).toContain(verdict.kind)
  })

  /** Every kind of part that the reader opens. */
  const allParts = workbookParts({
    'xl/_rels/workbook.xml.rels': relations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/sharedStrings.xml': '<sst/>',
    'xl/styles.xml': '<styleSheet/>',
  })
  it.for([...Object.keys(allParts), 'docProps/core.xml'])(
    '47 and 48: entities in %s are never read',
    async (part) => {
      const canary = await listenForCallers()
      const laughs = Array.from(
        { length: 20 },
        (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
      ).join('')
      const documentTypes = [
        `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]>`,
        '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        `<!DOCTYPE x [<!ENTITY % x SYSTEM "${canary.address}"> %x;]>`,
        `<!DOCTYPE x SYSTEM "${canary.address}">`,
      ]
      for (const documentType of documentTypes) {
        const verdict = await workbookVerdict(portal, {
          ...allParts,
          [part]: `${documentType}${allParts[part] ?? '<x/>'}`,
        })
        expect(verdict, documentType).toMatchObject(problem(ErrorType.Unreadable))
        expect(JSON.stringify(verdict)).not.toMatch(/root:|canary/)
      }
      expect(canary.close()).toBe(0)
    },
  )

  it('48: a link to another workbook or a web page is never followed', async () => {
    const canary = await listenForCallers()
    const { address } = canary
    const link = (type: string) => relations([type, address, ' TargetMode="External"'])
    const formula = `<row r="2"><c r="A2" t="str"><f>WEBSERVICE("${address}")</f><v>x</v></c></row>`
    const verdict = await workbookVerdict(portal, {
      'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${formats}/spreadsheetml/2006/main"/>`,
      'xl/externalLinks/_rels/externalLink1.xml.rels': link('externalLinkPath'),
      'xl/worksheets/_rels/sheet1.xml.rels': link('hyperlink'),
      'xl/worksheets/sheet1.xml': sheetOf(`<row r="1">${cell('A1', 'a')}</row>${formula}`),
    })
    expect([verdict, canary.close()]).toEqual([{ kind: 'passed', recordsCount: 1 }, 0])
  })

  it.for(['../../probe-49.xml', '/tmp/probe-49.xml', 'xl\\..\\..\\probe-49.xml', 'XL/WORKBOOK.XML'])(
    '49: a part named %s is written nowhere',
    async (name) => {
      expect((await workbookVerdict(portal, { [name]: '<x/>' })).kind).toMatch(/passed|fileProblem/)
      await expect(access('/tmp/probe-49.xml')).rejects.toThrow()
    },
  )

  it('49: bytes in front of a workbook do no harm', async () => {
    const bytes = Buffer.concat([Buffer.alloc(1024, 'x'), zip(workbookParts())])
    expect((await verdictOf(portal, bytes, 'a.xlsx')).kind).toMatch(/passed|fileProblem/)
  })

  it('51: columns named like members of Object.prototype are ordinary columns', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const fields = names.map(textField)
    const row = (number: number, texts: string[]) =>
      `<row r="${number}">${texts.map((text, at) => cell(`${'ABCD'[at]}${number}`, text)).join('')}</row>`
    const passed = { kind: 'passed', recordsCount: 1 }
    const sheet = sheetOf(row(1, names) + row(2, names))
    const workbook = zip(workbookParts({ 'xl/worksheets/sheet1.xml': sheet }))
    expect(await verdictOf(portal, workbook, 'a.xlsx', fields)).toEqual(passed)
    expect(
      await verdictOf(portal, Buffer.from(`${names.join(',')}\n${names.join(',')}\n`), 'a.csv', fields),
    ).toEqual(passed)
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
