import { readPart } from '#formats/spreadsheet/read-part.ts'
import { type Relationship, relationshipsPart } from '#formats/spreadsheet/read-relationships.ts'
import { contentTypesPart, linksPart, relationship } from '#formats/spreadsheet/workbook-parts.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { encodeXml, escapeXml } from '#formats/xml/write-xml.ts'
import { joined } from '#formats/bytes.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import { findData, partKey, type ZipEntry } from '#formats/zip/zip-directory.ts'
import { contentTypeOf, type CopiedParts, MAX_EDITED_PART } from '#output/copied-parts.ts'
import type { Platform } from '#platform.ts'

type RewrittenPart = { readonly name: string; readonly content: () => AsyncIterable<Uint8Array> }

/** The parts of a workbook's copy that are rewritten, in the order of writing, and the links of all parts. */
export class RewrittenParts {
  readonly #archive: ZipArchive
  readonly #copied: CopiedParts
  /** By `partKey`: a link may spell the name of a part differently than the archive does. */
  readonly #parts = new Map<string, RewrittenPart>()
  /** The content types of parts that the source does not have. */
  readonly #newTypes = new Map<string, string>()
  readonly #newLinks = new Map<string, Relationship[]>()

  constructor(archive: ZipArchive, copied: CopiedParts) {
    this.#archive = archive
    this.#copied = copied
  }

  /** `type`: the content type of a part that the source does not have. */
  add(name: string, content: RewrittenPart['content'], type?: string): void {
    const key = partKey(name)
    const copied = this.#copied.parts.get(key)
    this.#parts.set(key, { name: opcPartName(copied?.entry.name ?? name), content })
    if (copied === undefined && type !== undefined) this.#newTypes.set(opcPartName(name), type)
  }

  /** Adds links to the copied links of a part. */
  addLinks(name: string, links: readonly Relationship[]): void {
    this.#newLinks.set(partKey(name), [...(this.#newLinks.get(partKey(name)) ?? []), ...links])
  }

  /** The bytes of a part as it is copied; null if there is no part of that name. */
  async whole(name: string): Promise<Uint8Array | null> {
    const part = this.#copied.parts.get(partKey(name))
    if (part === undefined) return null
    if (part.content === null) return readPart(this.#archive, part.entry, MAX_EDITED_PART)
    return joined(await Array.fromAsync(part.content()))
  }

  /** All parts of the copy. The list of types comes first, and what is rewritten last. */
  async *write(): AsyncGenerator<ZipPart> {
    const { platform } = this.#archive
    yield { name: '[Content_Types].xml', content: encodeXml([this.#types()], platform) }
    yield {
      name: relationshipsPart(''),
      content: encodeXml([this.#linksOf('', this.#copied.packageLinks)], platform),
    }
    for (const [key, { links, entry, content }] of this.#copied.parts) {
      const spelled = opcPartName(entry.name)
      const all = [...links, ...(this.#newLinks.get(key) ?? [])]
      if (all.length > 0)
        yield {
          name: relationshipsPart(spelled),
          content: encodeXml([this.#linksOf(spelled, all)], platform),
        }
      if (this.#parts.has(key)) continue
      if (content !== null) yield { name: spelled, content: content() }
      else yield { packed: withOpcName(entry, platform), content: packedBytes(this.#archive, entry) }
    }
    for (const { name, content } of this.#parts.values()) yield { name, content: content() }
  }

  #types(): string {
    const copied = [...this.#copied.parts.values()].map((part) => ({
      ...part,
      name: opcPartName(part.entry.name),
    }))
    return contentTypesPart([
      ...copied.map((part) => ({ name: part.name, type: contentTypeOf(part) })),
      ...[...this.#newTypes].map(([name, type]) => ({ name, type })),
    ])
  }

  #linksOf(part: string, links: readonly Relationship[]): string {
    return linksPart(
      links.map(({ id, type, namespace, target }) => {
        const name = opcPartName(this.#copied.parts.get(partKey(target))?.entry.name ?? target)
        return relationship(
          escapeXml(id),
          escapeXml(type),
          escapeXml(targetFrom(part, name)),
          escapeXml(namespace),
        )
      }),
    )
  }
}

/**
 * The standard spelling of a part's name (ECMA-376 part 2, 6.2.2). Some readers accept backslashes, but not
 * both kinds of slashes in one archive.
 */
export const opcPartName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '')

/** A link as spreadsheet programs write it, relative to the folder of the part that states it. */
function targetFrom(part: string, target: string): string {
  const from = part.split('/').slice(0, -1)
  const to = target.split('/')
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  const path = [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/')
  // The name of a part in an archive may be escaped already.
  return encodeURI(path).replaceAll('%25', '%').replaceAll('#', '%23')
}

export const writeCopy = (archive: ZipArchive, rewritten: RewrittenParts): AsyncGenerator<Uint8Array> =>
  writeZip(rewritten.write(), archive.platform)

function withOpcName(entry: ZipEntry, platform: Platform): ZipEntry {
  const name = opcPartName(entry.name)
  return name === entry.name ? entry : { ...entry, nameBytes: platform.encodeUtf8(name) }
}

async function* packedBytes({ source }: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const start = await findData(source, entry)
  let missing = entry.compressedSize
  for await (const chunk of sourceBytes(source, start, start + missing)) {
    missing -= chunk.length
    yield chunk
  }
  if (missing > 0) throw workbookProblems.damaged(`the part ${entry.name} is cut off`)
}
