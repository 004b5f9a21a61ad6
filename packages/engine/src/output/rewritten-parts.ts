import { readPart } from '#formats/spreadsheet/read-part.ts'
import { linksPart } from '#formats/spreadsheet/workbook-parts.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits, removeElements } from '#formats/xml/edit-xml.ts'
import { type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import { findData, partKey, type ZipEntry } from '#formats/zip/zip-directory.ts'
import type { Platform } from '#platform.ts'

const READ_SIZE = 128 * 1024
/** The largest part that is edited in memory, in bytes. The notes of 100,000 cells take some 30 MB. */
const MAX_EDITED_PART = 64 * 1024 * 1024
const RELATIONSHIPS = xmlName('Relationships')
const RELATIONSHIP = xmlName('Relationship')
const ID = xmlName('Id')

type RewrittenPart = { readonly name: string; readonly content: () => AsyncIterable<Uint8Array> }

/** The parts of a workbook's copy that are written anew, in the order of writing. */
export class RewrittenParts {
  readonly #archive: ZipArchive
  /** By `partKey`: a link may spell the name of a part differently than the archive does. */
  readonly #parts = new Map<string, RewrittenPart>()

  readonly #dropped = new Set<string>()

  constructor(archive: ZipArchive) {
    this.#archive = archive
  }

  /** Whether a part of the source is not copied: it is written anew, or dropped. */
  isLeftOut(name: string): boolean {
    return this.#parts.has(partKey(name)) || this.isDropped(name)
  }

  isDropped(name: string): boolean {
    return this.#dropped.has(partKey(name))
  }

  [Symbol.iterator](): Iterator<RewrittenPart> {
    return this.#parts.values()
  }

  add(name: string, content: RewrittenPart['content']): void {
    const spelled = this.#archive.directory.find(name)?.name ?? name
    this.#parts.set(partKey(name), { name: opcPartName(spelled), content })
  }

  /** Leaves out a part of the source. Links to it are to be removed as well. */
  drop(name: string): void {
    this.#dropped.add(partKey(name))
  }

  /**
   * Adds a part of links: those of the source, if it has any, without those of the given ids, and these.
   */
  addLinks(name: string, links: readonly string[], removedIds: readonly string[] = []): void {
    const { platform } = this.#archive
    const spelled = (prefix: string) => links.join('').replaceAll('<Relationship ', `<${prefix}Relationship `)
    const source = () => this.whole(name)
    this.add(name, async function* () {
      const bytes = (await source()) ?? platform.encodeUtf8(linksPart([]))
      const edit = appendTo(bytes, RELATIONSHIPS, spelled, platform)
      if (edit === null) throw workbookProblems.damaged('its links are malformed')
      const isRemoved = (tokens: XmlTokens) => removedIds.includes(tokens.attribute(ID) ?? '')
      const removals = removeElements(bytes, RELATIONSHIP, isRemoved, platform)
      yield* applyEdits(bytes, [...removals, edit], platform)
    })
  }

  /** A whole part of the source; null if it has none of that name. */
  async whole(name: string): Promise<Uint8Array | null> {
    const entry = this.#archive.directory.find(name)
    return entry === undefined ? null : readPart(this.#archive, entry, MAX_EDITED_PART)
  }
}

/**
 * The standard spelling of a part's name (ECMA-376 part 2, 6.2.2). Some readers accept backslashes, but not
 * both kinds of slashes in one archive.
 */
export const opcPartName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '')

/** The source with its parts rewritten; all others are copied without unpacking them. */
export function writeCopy(archive: ZipArchive, rewritten: RewrittenParts): AsyncGenerator<Uint8Array> {
  return writeZip(partsOf(archive, rewritten), archive.platform)
}

async function* partsOf(archive: ZipArchive, rewritten: RewrittenParts): AsyncGenerator<ZipPart> {
  for (const entry of archive.directory.entries) {
    if (!rewritten.isLeftOut(entry.name))
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
