import { columnLetter } from '@veridict/contract/notation/column-letter'
import { clipText } from '#formats/spreadsheet/write-cells.ts'
import { MAX_NOTE_TEXT, type Note } from '#formats/spreadsheet/write-notes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits, edited, type Edit } from '#formats/xml/edit-xml.ts'
import { encodeXml, escapeXml, XML_HEADER } from '#formats/xml/write-xml.ts'
import { elementsNamed, firstNamed } from '#formats/xml/xml-elements.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { Chunks } from '#formats/zip/write-zip.ts'
import { NOTE_AUTHOR } from '#output/note-signature.ts'
import type { Platform } from '#platform.ts'

/**
 * Threaded comments ([MS-XLSX] 2.6.203 to 2.6.205), in Excel since 2018: a thread of plain texts on a cell,
 * each by a person of the workbook. The cell also has a note, whose author is `tc={id of the thread}` and
 * whose text repeats the thread for older programs. Excel shows the thread and hides the note. So on such
 * cells our text must be a reply in the thread, too.
 */

const NAMESPACE = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments'
export const THREADS_RELATIONSHIPS = 'http://schemas.microsoft.com/office/2017/10/relationships'

/** The person who replies. Any GUID is right as long as it stays the same. */
const OUR_PERSON = '{5AC9B2D8-6E1F-4B07-9D3A-71C5E0F48A26}'
/** The id of our reply is that of its thread XOR this mask, which keeps version and variant of the GUID. */
const REPLY_MASK = '{5AC9B2D8-6E1F-0B07-0D3A-71C5E0F48A26}'
const GUID = /^\{[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/

/**
 * A thread on a cell; a reply belongs at `end`. `time` is that of the latest reply, as the part states it.
 */
type Thread = { readonly id: string; readonly prefix: string; readonly end: number; readonly time: string }
/** The threads of a sheet by cell (`B2`), without our replies of an earlier time. */
export type Threads = { readonly bytes: Uint8Array; readonly byCell: ReadonlyMap<string, Thread> }

/** Reads the part with a sheet's threads. */
export function readThreads(bytes: Uint8Array, platform: Platform): Threads {
  const ours = [...readComments(new XmlTokens(platform, bytes))].filter(isOurs)
  const edits = ours.map(({ start, end }) => ({ start, end, text: '' }))
  const rest = edited(bytes, edits, platform)
  const byCell = new Map<string, Thread>()
  const cells = new Map<string, string>()
  for (const { id, parentId, cell, prefix, end, time } of readComments(new XmlTokens(platform, rest))) {
    if (parentId === '') {
      if (byCell.has(cell) || !GUID.test(id)) continue
      byCell.set(cell, { id, prefix, end, time })
      cells.set(id, cell)
      continue
    }
    const known = cells.get(parentId)
    const thread = known === undefined ? undefined : byCell.get(known)
    if (thread !== undefined)
      byCell.set(known!, { ...thread, end, time: time > thread.time ? time : thread.time })
  }
  return { bytes: rest, byCell }
}

/** The part with a reply in each thread whose cell has a note. */
export function addReplies({ bytes, byCell }: Threads, notes: readonly Note[], platform: Platform): Chunks {
  const edits: Edit[] = []
  for (const note of notes) {
    const cell = columnLetter(note.column) + (note.row + 1)
    const thread = byCell.get(cell)
    if (thread !== undefined)
      edits.push({ start: thread.end, end: thread.end, text: replyTag(thread, cell, note.text) })
  }
  return applyEdits(bytes, edits, platform)
}

function replyTag({ id, prefix: p, time }: Thread, cell: string, text: string): string {
  // The engine has no clock, and the same file must give the same bytes.
  const at = time === '' ? '' : ` dT="${escapeXml(time)}"`
  const shown = escapeXml(clipText(text, MAX_NOTE_TEXT))
  return (
    `<${p}threadedComment ref="${cell}"${at} personId="${OUR_PERSON}" id="${replyId(id)}" parentId="${id}">` +
    `<${p}text>${shown}</${p}text></${p}threadedComment>`
  )
}

/** The part with the persons of a workbook, the portal included. */
export function addPerson(bytes: Uint8Array | null, platform: Platform): Chunks {
  const names = `displayName="${NOTE_AUTHOR}" id="${OUR_PERSON}" userId="${NOTE_AUTHOR}"`
  const tag = (prefix: string) => `<${prefix}person ${names} providerId="None"/>`
  if (bytes === null)
    return encodeXml([`${XML_HEADER}<personList xmlns="${NAMESPACE}">${tag('')}</personList>`], platform)
  if (hasOurPerson(new XmlTokens(platform, bytes))) return [bytes]
  const edit = appendTo(bytes, 'personList', tag, platform, true)
  if (edit === null) throw workbookProblems.damaged('its list of persons is malformed')
  return applyEdits(bytes, [edit], platform)
}

const hasOurPerson = (tokens: XmlTokens): boolean =>
  elementsNamed(tokens, 'person').some(({ tag }) => idOf(tag.attribute('id')) === OUR_PERSON)

type Comment = {
  readonly start: number
  readonly end: number
  readonly prefix: string
  readonly cell: string
  readonly id: string
  /** '' for the first comment of a thread. */
  readonly parentId: string
  readonly personId: string
  readonly time: string
  readonly text: string
}

function* readComments(tokens: XmlTokens): Generator<Comment> {
  for (const { tag, start, end, content } of elementsNamed(tokens, 'threadedComment'))
    yield {
      start,
      end,
      prefix: tag.prefix(),
      cell: tag.attribute('ref') ?? '',
      id: idOf(tag.attribute('id')),
      parentId: idOf(tag.attribute('parentId')),
      personId: idOf(tag.attribute('personId')),
      time: tag.attribute('dT') ?? '',
      text: firstNamed(content, 'text')?.text ?? '',
    }
}

/** Recognizes our replies also when a program has given us another person id. */
const isOurs = ({ parentId, personId, text }: Comment): boolean =>
  parentId !== '' && (personId === OUR_PERSON || text.startsWith(`${NOTE_AUTHOR}:\n`))

const idOf = (value: string | null): string => (value ?? '').toUpperCase()

/** Both must be GUIDs. */
const replyId = (id: string): string =>
  id.replace(/[0-9A-F]/g, (digit, at: number) =>
    (parseInt(digit, 16) ^ parseInt(REPLY_MASK[at], 16)).toString(16).toUpperCase(),
  )
