import type { FileProblem } from '@veridict/contract/model/verdict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeKernel } from '#fast-path/column-kernel.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { readSharedStrings } from '#formats/spreadsheet/read-shared-strings.ts'
import { openArchive } from '#formats/zip/zip-archive.ts'
import { portalGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { buildZip, type ZipOddities } from '../../../test/build-zip.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'

const PART = 'xl/sharedStrings.xml'

type Reading = {
  maxUnpackedBytes?: number
  zip?: ZipOddities
  chunkSize?: number
  platform?: Platform
  hasKernel?: boolean
}

async function read(
  part: string | Uint8Array,
  {
    maxUnpackedBytes = portalGuards.maxUnpackedBytes,
    zip,
    chunkSize,
    platform = testPlatform(chunkSize),
    hasKernel = true,
  }: Reading = {},
) {
  const bytes = buildZip([[PART, typeof part === 'string' ? `<sst>${part}</sst>` : part]], zip)
  const archive = await openArchive(bytesSource(bytes), platform, { ...portalGuards, maxUnpackedBytes })
  const strings = await readSharedStrings(
    archive,
    archive.directory.find(PART),
    hasKernel ? makeKernel() : null,
  )
  return { count: strings.count, text: (index: number) => strings.text(index) }
}

async function problemOf(part: string | Uint8Array, reading?: Reading): Promise<FileProblem | null> {
  try {
    await read(part, reading)
    return null
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error
    return error.problem
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const inRuns = (text: string) =>
  [...text].map((character) => `<r><rPr><b/></rPr><t>${escaped(character)}</t></r>`).join('')

describe('Shared strings', () => {
  it('read the same, however they are written and wherever the part is cut', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'Z', ' ', '&', '<', '\u007f', '\u0080', 'é', '美', '😀'),
      maxLength: 20,
    })
    const way = fc.constantFrom<(text: string) => string>(
      (plain) => `<si><t>${escaped(plain)}</t></si>`,
      (plain) => `<si><t xml:space="preserve">${escaped(plain)}</t></si>`,
      (plain) => `<si>${inRuns(plain)}</si>`,
      (plain) => `<x:si><x:t>${escaped(plain)}</x:t></x:si>`,
      (plain) => `<si><t><![CDATA[${plain}]]></t></si>`,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, way), { maxLength: 24 }),
        fc.integer({ min: 1, max: 90 }),
        fc.boolean(),
        async (items, chunkSize, hasKernel) => {
          const { count, text } = await read(items.map(([plain, write]) => write(plain)).join(''), {
            chunkSize,
            hasKernel,
          })
          expect(Array.from({ length: count }, (_, index) => text(index))).toEqual(
            items.map(([plain]) => plain),
          )
        },
      ),
    )
  })

  it('are whole at every size, also where they are moved', async () => {
    const texts = Array.from({ length: 1100 }, (_, size) =>
      Array.from({ length: size }, (_, at) => ((size + at * 7) % 36).toString(36)).join(''),
    )
    const { text } = await read(texts.map((plain) => `<si><t>${plain}</t></si>`).join(''), {
      chunkSize: 4096,
    })
    expect(texts.map((_, index) => text(index))).toEqual(texts)
  })

  it.for([
    { item: '<si/>', why: 'blank' },
    { item: '<si><t>a</t></si>', why: 'plain' },
  ])(
    'are limited to the number that cells of a workbook within its limit could refer to: $why',
    async ({ item }) => {
      const limits = { maxUnpackedBytes: 2_400 }
      expect(await read(item.repeat(100), limits)).toMatchObject({ count: 100 })
      expect(await problemOf(item.repeat(101), limits)).toMatchObject({
        errorType: 3,
        message: expect.stringMatching(/more than its cells can/),
      })
    },
  )

  it('are not limited where the size of a workbook is not', async () => {
    expect(await read('<si/>'.repeat(50_000), { maxUnpackedBytes: Infinity })).toMatchObject({
      count: 50_000,
    })
  })

  it.for([
    { name: 'a text', item: (size: number) => `<t>${'x'.repeat(size)}</t>` },
    { name: 'runs', item: (size: number) => `<r><t>${'x'.repeat(986)}</t></r>`.repeat(size / 1000) },
  ])('are refused where they are longer than a cell can be: $name', async ({ item }) => {
    expect((await read(`<si>${item(1_000_000)}</si><si><t>b</t></si>`)).text(1)).toBe('b')
    for (const chunkSize of [256 * 1024, 64 * 1024 * 1024]) {
      const problem = await problemOf(`<si>${item(17_000_000)}</si>`, { chunkSize })
      expect(problem).toMatchObject({ errorType: 3, message: expect.stringMatching(/longer than a cell/) })
    }
  })

  it('are refused where one is too long before it ends', async () => {
    const problem = await problemOf(`<si><t>${'x'.repeat(17_000_000)}`)
    expect(problem).toMatchObject({ errorType: 3, message: expect.stringMatching(/longer than a cell/) })
  })

  it('are read three times at most where one is cut often, also behind others', async () => {
    let decoded = 0
    const plain = testPlatform(1024)
    const platform: Platform = {
      ...plain,
      decodeUtf8(bytes, start, end) {
        decoded += end - start
        return plain.decodeUtf8(bytes, start, end)
      },
    }
    const others = '<si><t>abcdefgh</t></si>'.repeat(20_000)
    const { text } = await read(`${others}<si>${inRuns('x'.repeat(20_000))}</si>`, { platform })
    expect(decoded).toBeLessThan(60_000)
    expect(text(20_000)).toHaveLength(20_000)
  })

  it('may be a little larger than their header states, not much', async () => {
    const many = (count: number) => `<si><t>${'x'.repeat(990)}</t></si>`.repeat(count)
    const zip = { statedSize: 10 }
    expect(await problemOf(many(900), { zip })).toBeNull()
    // Nothing of comments stays in memory.
    for (const part of [many(3_000), '<!-- -->'.repeat(400_000)])
      expect(await problemOf(part, { zip })).toMatchObject({
        errorType: 3,
        message: expect.stringMatching(/far larger than it says/),
      })
  })

  it('in UTF-16 may grow, up to the limit of a workbook', async () => {
    const utf16 = new Uint8Array(
      Buffer.from(`\ufeff<sst><si><t>${'美'.repeat(900)}</t></si></sst>`, 'utf16le'),
    )
    expect((await read(utf16)).text(0)).toHaveLength(900)
    expect(await problemOf(utf16, { maxUnpackedBytes: 2_500 })).toMatchObject({ errorType: 5 })
  })
})
