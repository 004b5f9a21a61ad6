import type { Field } from '@veridict/contract/model/field'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { describe, expect, it } from 'vitest'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook, worksheet } from '../../test/build-workbook.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'
import { field } from '../../test/verdict-of-rows.ts'

const FIELDS = [field('Plot', { type: 'text' }, true), field('Trees', { type: 'number' }, true)]

type Sheet = { name: string; rows: readonly string[]; state?: string; isMissing?: boolean }

/** Cells are separated by commas. */
const rowsXml = (rows: readonly string[]) =>
  rows
    .map((row) =>
      row.split(',').map((text) => (text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${text}</t></is></c>`)),
    )
    .map((cells) => `<row>${cells.join('')}</row>`)
    .join('')

function workbookOf(sheets: readonly Sheet[]): Uint8Array {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet'
  const links = sheets.map(
    (_, index) => `<Relationship Id="s${index}" Type="${type}" Target="s${index}.xml"/>`,
  )
  const parts = sheets.map(({ rows, isMissing }, index) => [
    `xl/s${index}.xml`,
    isMissing === true ? null : worksheet(rowsXml(rows)),
  ])
  return buildWorkbook({
    sheets: sheets
      .map(
        ({ name, state = 'visible' }, index) => `<sheet name="${name}" r:id="s${index}" state="${state}"/>`,
      )
      .join(''),
    parts: {
      'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
      ...(Object.fromEntries(parts) as Record<string, string | null>),
    },
  })
}

async function messageOf(sheets: readonly Sheet[], fields: readonly Field[] = FIELDS): Promise<string> {
  const verdict = await validateTable({
    source: bytesSource(workbookOf(sheets)),
    fileName: 'trees.xlsx',
    fields,
    platform: testPlatform(),
  })
  if (verdict.kind !== 'fileProblem') throw new Error(`The verdict is ${verdict.kind}.`)
  return fileProblemText(verdict.problem)
}

const guide: Sheet = { name: 'Guide', rows: ['How to fill in this form'] }
const data: Sheet = { name: 'Survey', rows: ['Plot,Trees', 'A,5'] }
const says = 'The sheet "Survey" has the right columns.'

describe('The message about a sheet that does not match', () => {
  it.for<{ why: string; sheets: Sheet[] }>([
    { why: 'a guide', sheets: [guide, data] },
    { why: 'no cells at all', sheets: [{ name: 'Sheet1', rows: [] }, data] },
    { why: 'blank cells only', sheets: [{ name: 'Sheet1', rows: [',', ' ,'] }, data] },
    { why: 'the columns in another order', sheets: [{ name: 'Old', rows: ['Trees,Plot', '5,A'] }, data] },
    { why: 'values without their headings', sheets: [{ name: 'Old', rows: ['A,5', 'B,6'] }, data] },
    { why: 'a table for another dictionary', sheets: [{ name: 'Staff', rows: ['Id,Name,Born,City'] }, data] },
    {
      why: 'the columns below a title',
      sheets: [{ name: 'Old', rows: ['Survey of May', 'Plot,Trees'] }, data],
    },
    { why: 'the columns without rows', sheets: [{ name: 'Blank', rows: ['Plot,Trees'] }, data] },
    {
      why: 'the table comes last',
      sheets: [guide, { name: 'Notes', rows: ['Plot'] }, { name: 'X', rows: [] }, data],
    },
    { why: 'the table begins elsewhere', sheets: [guide, { ...data, rows: [',', ',Plot,Trees', ',A,5'] }] },
    { why: 'a sheet between is missing', sheets: [guide, { name: 'Gone', rows: [], isMissing: true }, data] },
    { why: 'the name of one between has a space more', sheets: [guide, { ...guide, name: 'Survey ' }, data] },
    { why: 'a sheet between is damaged', sheets: [guide, { name: 'Torn', rows: ['Plot</c'] }, data] },
  ])('names the one that does: $why', async ({ sheets }) => {
    const message = await messageOf(sheets)
    expect(message).toContain(says)
    expect(message).toContain(`Only the first visible sheet, "${sheets[0].name}", was read`)
    expect(message).not.toMatch(/looks like data|another data dictionary/)
  })

  it.for<{ why: string; sheets: Sheet[] }>([
    { why: 'another one neither', sheets: [guide, { name: 'Survey', rows: ['Plot,Bushes'] }] },
    { why: 'in another order neither', sheets: [guide, { name: 'Survey', rows: ['Trees,Plot'] }] },
    { why: 'a hidden one', sheets: [guide, { ...data, state: 'hidden' }, { name: 'Notes', rows: [] }] },
    { why: 'it is the only one', sheets: [guide] },
  ])('names none that does not: $why', async ({ sheets }) => {
    expect(await messageOf(sheets)).not.toContain('right columns')
  })

  it('names all that do', async () => {
    expect(await messageOf([guide, data, { ...data, name: 'June' }])).toContain(
      'The sheets "Survey", "June" have the right columns.',
    )
  })

  it('names twenty other sheets, and how many more there are', async () => {
    const others = Array.from({ length: 25 }, () => ({ name: 'Data', rows: [] }))
    expect(await messageOf([guide, ...others])).toMatch(/^(?:.*"Data"){20} and 5 more\.$/)
  })
})
