import type { LeftOutKind } from '@veridict/contract/messages/error-files'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { readPart } from '#formats/spreadsheet/read-part.ts'
import { readAllRelationships, type Relationship } from '#formats/spreadsheet/read-relationships.ts'
import type { Workbook } from '#formats/spreadsheet/read-workbook.ts'
import { CONTENT_TYPES, PICTURE_TYPES } from '#formats/spreadsheet/workbook-parts.ts'
import { notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import { applyEdits, type Edit } from '#formats/xml/edit-xml.ts'
import { encodeXml } from '#formats/xml/write-xml.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { Chunks } from '#formats/zip/write-zip.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import { partKey, type ZipEntry } from '#formats/zip/zip-directory.ts'
import copied from '#output/copied-content.json' with { type: 'json' }
import { readNoteBoxes } from '#output/note-boxes.ts'
import { sanitizeSheet, type SheetRules } from '#output/sanitize-sheet.ts'
import { sanitizeDrawing, sanitizeTable, sanitizeThreads } from '#output/sanitize-parts.ts'
import { sanitizeWorkbook, readSheetNames } from '#output/sanitize-workbook.ts'
import { LeftOut } from '#output/left-out.ts'

/** The largest part that is edited in memory, in bytes. The notes of 100,000 cells take some 30 MB. */
export const MAX_EDITED_PART = 64 * 1024 * 1024

/** The content type of a picture depends on its ending; the package is no part. */
type PartKind = keyof typeof CONTENT_TYPES | 'picture' | 'package'

/**
 * The links of each kind of part that are copied, and the kinds they lead to. Macros, connections, other
 * files, embedded objects, all else that a program would run or load, and unknown kinds are left out.
 */
const COPIED_LINKS = copied.links as Partial<Record<PartKind, Readonly<Record<string, PartKind>>>>

/** How the report names what links of other types lead to; nobody notices the absence of `unnoticedLinks`. */
const LEFT_OUT = Object.entries(copied.leftOutLinks) as [LeftOutKind, string[]][]

/** Called when the part is written. */
export type PartContent = () => Chunks | Promise<Chunks>

export type CopiedPart = {
  readonly name: string
  readonly kind: PartKind
  readonly entry: ZipEntry
  readonly links: readonly Relationship[]
  /** The content without what is left out; null if the part is copied unchanged. */
  readonly content: PartContent | null
}

export type CopiedParts = {
  /** The parts by `partKey`. */
  readonly parts: ReadonlyMap<string, CopiedPart>
  readonly packageLinks: readonly Relationship[]
  /** Which content of the data sheet is copied. */
  readonly sheetRules: SheetRules
  readonly leftOut: LeftOut
  /** The links of a part that are copied. */
  linksOf(name: string): readonly Relationship[]
}

export const contentTypeOf = ({ name, kind }: Pick<CopiedPart, 'name' | 'kind'>): string =>
  (CONTENT_TYPES as Partial<Record<PartKind, string>>)[kind] ??
  PICTURE_TYPES[endingOf(name)] ??
  'application/xml'

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** Finds the parts that a copy of a workbook may have. Throws `FileProblemError` as `readWorkbook` does. */
export async function findCopiedParts(archive: ZipArchive, book: Workbook): Promise<CopiedParts> {
  const bytes = await readPart(archive, archive.directory.find(book.part)!, MAX_EDITED_PART)
  return new PartFinder(archive, book, readSheetNames(new XmlTokens(archive.platform, bytes))).run()
}

class PartFinder {
  readonly #archive: ZipArchive
  readonly #book: Workbook
  readonly #sheetNames: ReadonlySet<string>
  readonly #parts = new Map<string, CopiedPart>()
  readonly #leftOut = new LeftOut()
  #hasMetadata = false
  /** Has a limit of its own: parts that validation does not read may use all of it. */
  readonly #others: ZipArchive

  constructor(archive: ZipArchive, book: Workbook, sheetNames: ReadonlySet<string>) {
    this.#archive = archive
    this.#others = { ...archive, unpacked: new Map() }
    this.#book = book
    this.#sheetNames = sheetNames
  }

  async run(): Promise<CopiedParts> {
    const { part, relationshipNamespace: namespace } = this.#book
    this.#hasMetadata = (await readAllRelationships(this.#archive, part)).some(
      ({ type }) => type === 'sheetMetadata',
    )
    let packageLinks = await this.#links('', 'package')
    // An archive without links of its own has the workbook at its usual place.
    if (!this.#parts.has(partKey(part))) {
      await this.#copy(part, 'workbook')
      packageLinks = [{ id: 'rId1', type: 'officeDocument', namespace, target: part }]
    }
    return {
      parts: this.#parts,
      packageLinks,
      leftOut: this.#leftOut,
      linksOf: (name) => this.#parts.get(partKey(name))?.links ?? [],
      sheetRules: this.#sheetRules(this.#parts.get(partKey(this.#book.sheet.part))?.links ?? []),
    }
  }

  #sheetRules(links: readonly Relationship[]): SheetRules {
    return {
      links: new Map(links.map(({ id, type }) => [id, type])),
      sheetNames: this.#sheetNames,
      hasMetadata: this.#hasMetadata,
    }
  }

  /** Copies the parts that a part may link to. Returns the links to these. */
  async #links(part: string, kind: PartKind): Promise<Relationship[]> {
    const allowed = COPIED_LINKS[kind] ?? {}
    const links: Relationship[] = []
    for (const link of await readAllRelationships(this.#archive, part)) {
      const isAllowed = link.target !== '' && Object.hasOwn(allowed, link.type)
      if (!isAllowed) this.#leaveOut(link)
      else if (await this.#copy(link.target, allowed[link.type])) links.push(link)
    }
    return links
  }

  #leaveOut({ type, target }: Relationship): void {
    const known = LEFT_OUT.find(([, types]) => types.includes(type))?.[0]
    if (target === '') this.#leftOut.add('links')
    else if (!copied.unnoticedLinks.includes(type)) this.#leftOut.add(known ?? 'others')
  }

  /** Returns whether the part is copied. If it is damaged, throws only where validation reads it, too. */
  async #copy(target: string, kind: PartKind): Promise<boolean> {
    const known = this.#parts.get(partKey(target))
    if (known !== undefined) return known.kind === kind
    const isRead = [this.#book.part, this.#book.sheet.part].some((part) => partKey(part) === partKey(target))
    try {
      const entry = this.#archive.directory.find(target)
      if (entry === undefined) return false
      const links = await this.#links(target, kind)
      const part = { name: target, kind, entry, links }
      const content = await this.#contentOf(part)
      if (content === undefined) this.#leftOut.add('others')
      else this.#parts.set(partKey(target), { ...part, content })
      return content !== undefined
    } catch (error) {
      if (isRead || !(error instanceof FileProblemError)) throw error
      this.#leftOut.add('others')
      return false
    }
  }

  /** The content of a part that is not copied as it is; undefined if the part is left out. */
  async #contentOf(part: Omit<CopiedPart, 'content'>): Promise<CopiedPart['content'] | undefined> {
    const { kind, entry, links } = part
    const archive = this.#others
    const ids = new Set(links.map(({ id }) => id))
    const bytes = () => readPart(archive, entry, MAX_EDITED_PART)
    const edited = async (find: (tokens: XmlTokens) => readonly Edit[]): Promise<CopiedPart['content']> => {
      const edits = find(new XmlTokens(archive.platform, await bytes()))
      return edits.length === 0 ? null : async () => applyEdits(await bytes(), edits, archive.platform)
    }
    switch (kind) {
      case 'workbook':
        return edited((tokens) => sanitizeWorkbook(tokens, ids, this.#sheetNames, this.#leftOut))
      case 'worksheet': {
        if (partKey(part.name) === partKey(this.#book.sheet.part)) return null
        return sanitizeSheet(archive, entry, this.#sheetRules(links), this.#leftOut)
      }
      case 'drawing':
        return edited((tokens) => sanitizeDrawing(tokens, ids, this.#leftOut))
      case 'table':
        return edited((tokens) => sanitizeTable(tokens))
      case 'threads':
        return edited((tokens) => sanitizeThreads(tokens))
      case 'notesDrawing': {
        const boxes = readNoteBoxes(await bytes(), archive.platform)
        return () => encodeXml(notesDrawing(boxes), archive.platform)
      }
      case 'theme':
        return (await readAllRelationships(archive, part.name)).length === links.length ? null : undefined
      case 'picture':
        return Object.hasOwn(PICTURE_TYPES, endingOf(part.name)) ? null : undefined
      default:
        return null
    }
  }
}
