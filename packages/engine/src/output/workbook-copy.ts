import { readPart } from '#formats/spreadsheet/read-part.ts'
import { type Relationship, relationshipsPart } from '#formats/spreadsheet/read-relationships.ts'
import { CONTENT_TYPES, contentTypesPart, linksPart } from '#formats/spreadsheet/workbook-parts.ts'
import { type NewSheet, sheetPart } from '#formats/spreadsheet/write-sheet.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { encodeXml } from '#formats/xml/write-xml.ts'
import { joined } from '#formats/bytes.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import { openArchive, type ZipArchive } from '#formats/zip/zip-archive.ts'
import { findData, partKey, type ZipEntry } from '#formats/zip/zip-directory.ts'
import { contentTypeOf, type CopiedParts, MAX_EDITED_PART, type PartContent } from '#output/copied-parts.ts'
import type { TableRequest } from '#source/open-table.ts'
import { type MarkingPlan, planMarking } from '#output/marking-plan.ts'
import type { Platform } from '#platform.ts'

/** A copy of a workbook: its rewritten parts, in the order of writing, and the links of all parts. */
export class WorkbookCopy {
  readonly archive: ZipArchive
  readonly platform: Platform
  readonly plan: MarkingPlan
  readonly #copied: CopiedParts
  /** By `partKey`: a link may spell the name of a part differently than the archive does. */
  readonly #parts = new Map<string, { readonly name: string; readonly content: PartContent }>()
  /** The content types of parts that the source does not have. */
  readonly #newTypes: { readonly name: string; readonly type: string }[] = []
  readonly #newLinks = new Map<string, Relationship[]>()

  constructor(archive: ZipArchive, plan: MarkingPlan) {
    this.archive = archive
    this.platform = archive.platform
    this.plan = plan
    this.#copied = plan.copied
  }

  /** Throws `FileProblemError`. */
  static async open(request: Pick<TableRequest, 'source' | 'platform' | 'limits'>): Promise<WorkbookCopy> {
    const archive = await openArchive(request.source, request.platform, request.limits)
    return new WorkbookCopy(archive, await planMarking(archive))
  }

  /** `type`: the content type of a part that the source does not have. */
  add(name: string, content: PartContent, type?: string): void {
    const key = partKey(name)
    const copied = this.#copied.parts.get(key)
    this.#parts.set(key, { name: opcPartName(copied?.entry.name ?? name), content })
    if (copied === undefined && type !== undefined) this.#newTypes.push({ name: opcPartName(name), type })
  }

  /** The sheet is made when the parts before it are written. */
  addSheet(part: string, sheet: () => NewSheet): void {
    const { mainNamespace: main, namespace: relationships } = this.plan
    const content = () => sheetPart(sheet(), this.platform, { main, relationships })
    this.add(part, content, CONTENT_TYPES.worksheet)
  }

  addLinks(name: string, links: readonly Relationship[]): void {
    this.#newLinks.set(partKey(name), [...(this.#newLinks.get(partKey(name)) ?? []), ...links])
  }

  /** The bytes of a part as it is copied; null if there is no part of that name. */
  async whole(name: string): Promise<Uint8Array | null> {
    const part = this.#copied.parts.get(partKey(name))
    if (part === undefined) return null
    if (part.content === null) return readPart(this.archive, part.entry, MAX_EDITED_PART)
    return joined(await Array.fromAsync(await part.content()))
  }

  write(): AsyncGenerator<Uint8Array> {
    return writeZip(this.#all(), this.platform)
  }

  /** All parts of the copy. The list of types comes first, and what is rewritten last. */
  async *#all(): AsyncGenerator<ZipPart> {
    const { platform } = this
    const part = (name: string, text: string) => ({ name, content: encodeXml([text], platform) })
    yield part('[Content_Types].xml', this.#types())
    yield part(relationshipsPart(''), this.#linksOf('', this.#copied.packageLinks))
    for (const [key, { links, entry, content }] of this.#copied.parts) {
      const spelled = opcPartName(entry.name)
      const all = [...links, ...(this.#newLinks.get(key) ?? [])]
      if (all.length > 0) yield part(relationshipsPart(spelled), this.#linksOf(spelled, all))
      if (this.#parts.has(key)) continue
      if (content !== null) yield { name: spelled, content: await content() }
      else yield { packed: withOpcName(entry, platform), content: packedBytes(this.archive, entry) }
    }
    for (const { name, content } of this.#parts.values()) yield { name, content: await content() }
  }

  #types(): string {
    const copied = [...this.#copied.parts.values()].map(({ kind, entry }) => {
      const name = opcPartName(entry.name)
      return { name, type: contentTypeOf({ name, kind }) }
    })
    return contentTypesPart([...copied, ...this.#newTypes])
  }

  #linksOf(part: string, links: readonly Relationship[]): string {
    const nameOf = (target: string) => this.#copied.parts.get(partKey(target))?.entry.name ?? target
    return linksPart(
      links.map((link) => ({ ...link, target: targetFrom(part, opcPartName(nameOf(link.target))) })),
    )
  }
}

/** ECMA-376 part 2, 6.2.2. Some readers accept backslashes, but not both kinds of slashes in one archive. */
const opcPartName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '')

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
