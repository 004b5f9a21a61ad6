import { workbookProblems } from '#formats/workbook-problems.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import { openArchive } from '#formats/zip/zip-archive.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import { findData, type ZipEntry } from '#formats/zip/zip-directory.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { MarkedRows } from '#output/marked-rows.ts'
import { type MarkingPlan, planMarking } from '#output/marking-plan.ts'
import { rewriteParts, opcPartName } from '#output/rewritten-parts.ts'
import type { Platform } from '#platform.ts'

const READ_SIZE = 128 * 1024

/**
 * A copy of a workbook with its bad cells red and with notes. Our marks of an earlier time are removed. Parts
 * are copied without unpacking them, except those that the marks change: the sheet, its links, its notes, the
 * styles and the list of content types.
 */
export async function* highlightWorkbook(
  marks: MarkedRows,
  request: ErrorFileRequest,
): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(request.source, request.platform, request.limits)
  const plan = await planMarking(archive)
  yield* writeZip(parts(archive, plan, marks), request.platform)
}

async function* parts(archive: ZipArchive, plan: MarkingPlan, marks: MarkedRows): AsyncGenerator<ZipPart> {
  const rewritten = await rewriteParts(archive, plan, marks)
  for (const entry of archive.directory.entries) {
    if (!rewritten.has(entry.name))
      yield { packed: withOpcName(entry, archive.platform), content: packedBytes(archive, entry) }
  }
  for (const { name, content } of rewritten) yield { name, content: content() }
}

function withOpcName(entry: ZipEntry, platform: Platform): ZipEntry {
  const name = opcPartName(entry.name)
  return name === entry.name ? entry : { ...entry, nameBytes: platform.encodeUtf8(name) }
}

async function* packedBytes({ source }: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const start = await findData(source, entry)
  for (let position = start; position < start + entry.compressedSize;) {
    const chunk = new Uint8Array(Math.min(READ_SIZE, start + entry.compressedSize - position))
    const count = await source.read(chunk, position)
    if (count <= 0) throw workbookProblems.damaged(`the part ${entry.name} is cut off`)
    yield chunk.subarray(0, count)
    position += count
  }
}
