import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { buildWorkbook, worksheet } from '../../test/build-workbook.ts'
import { checkWorkbook } from '../../test/check-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'

const field = (name: string, rule: Rule): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  rule,
})
const FIELDS = [field('Id', { type: 'text', minLength: 2 }), field('Amount', { type: 'number' })]

const highlight = (bytes: Uint8Array) =>
  joined(
    writeHighlightedFile({
      source: bytesSource(bytes),
      fileName: 'a.xlsx',
      fields: FIELDS,
      platform: testPlatform(),
      limits: portalGuards,
    }),
  )

const SHEET = 'xl/worksheets/sheet1.xml'
const THREADS = 'xl/threadedComments/threadedComment1.xml'
const PERSONS = 'xl/persons/person.xml'
const NOTES = 'xl/comments1.xml'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MODERN = 'http://schemas.microsoft.com/office/2017/10/relationships'
const NAMESPACE = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments'
const ANNA = '{11111111-2222-4333-8444-555555555555}'
const BEN = '{66666666-7777-4888-9999-AAAAAAAAAAAA}'
const ON_A2 = '{A2A2A2A2-0000-4000-8000-00000000000A}'
const ON_B1 = '{B1B1B1B1-0000-4000-8000-00000000000B}'
const REPLY = '{CCCCCCCC-0000-4000-8000-00000000000C}'

const HEADER = '<row r="1"><c r="A1" t="str"><v>Id</v></c><c r="B1" t="str"><v>Amount</v></c></row>'
const rowsWith = (id: string, amount = '1') =>
  `${HEADER}<row r="2"><c r="A2" t="str"><v>${id}</v></c><c r="B2" t="str"><v>${amount}</v></c></row>`

const comment = (
  cell: string,
  id: string,
  text: string,
  { time = '2024-05-01T08:00:00.00', person = ANNA, parent = '' } = {},
) =>
  `<threadedComment ref="${cell}" dT="${time}" personId="${person}" ` +
  `id="${id}"${parent && ` parentId="${parent}"`}><text>${text}</text></threadedComment>`
const TEXTS =
  comment('B1', ON_B1, 'Net?') +
  comment('A2', ON_A2, 'Who is this?') +
  comment('A2', REPLY, 'Ask &lt;Ben&gt;', { time: '2024-05-02T09:30:00.00', person: BEN, parent: ON_A2 })
const threadsPart = (texts: string) => `<ThreadedComments xmlns="${NAMESPACE}">${texts}</ThreadedComments>`
const PERSON_LIST =
  `<personList xmlns="${NAMESPACE}">` +
  `<person displayName="Anna" id="${ANNA}" userId="a" providerId="AD"/>` +
  `<person displayName="Ben" id="${BEN}" userId="b" providerId="AD"/><extLst/></personList>`

/** The text of the note in which Excel repeats a thread. */
const repeated = (texts: readonly string[]) =>
  `[Threaded comment]\n\nYour version of Excel allows you to read this.\n\nComment:\n    ` +
  `${texts.join('\nReply:\n    ')}`
function notesPart(authors: readonly string[], notes: Readonly<Record<string, string>>): string {
  const authorTags = authors.map((author) => `<author>${author}</author>`)
  const tags = Object.entries(notes).map(
    ([cell, text], index) =>
      `<comment ref="${cell}" authorId="${index}" shapeId="0"><text><t>${text}</t></text></comment>`,
  )
  return (
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<authors>${authorTags.join('')}</authors><commentList>${tags.join('')}</commentList></comments>`
  )
}
const THREAD_NOTES = notesPart([`tc=${ON_B1}`, `tc=${ON_A2}`], {
  B1: repeated(['Net?']),
  A2: repeated(['Who is this?', 'Ask &lt;Ben&gt;']),
})
const box = (id: string, row: number, column: number) =>
  `<v:shape id="${id}"><x:ClientData ObjectType="Note"><x:Row>${row}</x:Row><x:Column>` +
  `${column}</x:Column></x:ClientData></v:shape>`

const link = (id: string, base: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${base}/${type}" Target="${target}"/>`
const links = (tags: string) =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  `${tags}</Relationships>`
const BOOK_LINKS =
  link('rId1', OFFICE, 'worksheet', 'worksheets/sheet1.xml') + link('rId2', OFFICE, 'styles', 'styles.xml')

/** A workbook with a thread on the header cell B1 and one on A2, whose value is `id`. */
const workbook = (id: string) =>
  buildWorkbook({
    parts: {
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        '<Default Extension="rels" ContentType="r"/>' +
        '<Default Extension="vml" ContentType="v"/></Types>',
      [SHEET]: worksheet(rowsWith(id), '<legacyDrawing r:id="rId1"/>'),
      'xl/worksheets/_rels/sheet1.xml.rels': links(
        link('rId1', OFFICE, 'vmlDrawing', '../v.vml') +
          link('rId2', OFFICE, 'comments', '../comments1.xml') +
          link('rId3', MODERN, 'threadedComment', '../threadedComments/threadedComment1.xml'),
      ),
      'xl/_rels/workbook.xml.rels': links(BOOK_LINKS + link('rId9', MODERN, 'person', 'persons/person.xml')),
      [THREADS]: threadsPart(TEXTS),
      [PERSONS]: PERSON_LIST,
      [NOTES]: THREAD_NOTES,
      'xl/v.vml':
        '<xml xmlns:v="v" xmlns:x="x">' + `${box('_x0000_s1025', 0, 1)}${box('_x0000_s1026', 1, 0)}</xml>`,
    },
  })

const textIn = (notes: string, cell: string) =>
  [...new RegExp(`ref="${cell}".*?</comment>`, 's').exec(notes)![0].matchAll(/<t(?: [^>]*)?>(.*?)<\/t>/gs)]
    .map(([, text]) => text)
    .join('')
const REASON =
  'Veridict:\nThe text has 1 character, at least 2 are needed.\nExpected: a text of at least 2 characters'

describe('On a cell with a thread, a Highlighted workbook', () => {
  it('keeps the thread, and names the error in the note that repeats it', async () => {
    const source = workbook('x')
    expect(checkWorkbook(source)).toEqual([])
    const bytes = await highlight(source)
    expect(checkWorkbook(bytes)).toEqual([])
    const parts = readZip(bytes)
    expect(parts.get(THREADS)).toBe(threadsPart(TEXTS))
    expect(parts.get(PERSONS)).toBe(PERSON_LIST)
    expect(textIn(parts.get(NOTES)!, 'A2')).toBe(
      `${repeated(['Who is this?', 'Ask &lt;Ben&gt;'])}\n\n${REASON}`,
    )
    expect(textIn(parts.get(NOTES)!, 'B1')).toBe(repeated(['Net?']))
    expect(parts.get(NOTES)).toContain(`<author>tc=${ON_A2}</author>`)
  })

  it('does not grow in ten rounds', async () => {
    let bytes = workbook('x')
    const sizes = new Set<number>()
    for (let round = 0; round < 10; round++) {
      bytes = await highlight(bytes)
      sizes.add([...readZip(bytes).values()].join('').length)
    }
    expect(sizes.size).toBe(1)
  })
})
