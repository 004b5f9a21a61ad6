import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import { openArchive, unpackPart } from '#formats/zip/zip-archive.ts'
import { portalGuards } from '#limits.ts'
import { buildZip } from '../../../test/build-zip.ts'
import { bytesSource, joined, testPlatform } from '../../../test/test-platform.ts'

const platform = testPlatform()
const PARTS: Readonly<Record<string, Uint8Array>> = {
  'empty.xml': new Uint8Array(0),
  'xl/größe.xml': platform.encodeUtf8('é'.repeat(100_000)),
  'zeros.bin': new Uint8Array(300_000),
}

async function* inTwo(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 7)
  yield bytes.subarray(7)
}

/** `unpackPart` compares checksums; fflate is an independent reader. */
async function expectParts(bytes: Uint8Array): Promise<void> {
  expect(unzipSync(bytes)).toEqual(PARTS)
  const archive = await openArchive(bytesSource(bytes), platform, portalGuards)
  for (const [name, content] of Object.entries(PARTS))
    expect(await joined(unpackPart(archive, archive.directory.find(name)!))).toEqual(content)
}

it('A written archive reads back, checksums included', async () => {
  const parts = Object.entries(PARTS).map(([name, bytes]): ZipPart => ({ name, content: inTwo(bytes) }))
  await expectParts(await joined(writeZip(parts, platform)))
})

it.for([{ stored: false }, { stored: true }])(
  'Parts copied from another archive stay packed as they are: stored $stored',
  async ({ stored }) => {
    const source = buildZip(Object.entries(PARTS), { stored })
    const { directory } = await openArchive(bytesSource(source), platform, portalGuards)
    const parts = directory.entries.map((entry): ZipPart => {
      const start = entry.offset + 30 + entry.nameBytes.length
      return { packed: entry, content: inTwo(source.subarray(start, start + entry.compressedSize)) }
    })
    await expectParts(await joined(writeZip(parts, platform)))
  },
)
