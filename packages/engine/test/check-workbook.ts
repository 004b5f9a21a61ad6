import { columnIndex } from '@veridict/contract/notation/column-letter'
import { readZip } from './read-zip.ts'
import { attributeOf, childrenOf, elementsOf, parseXml, type XmlElement } from './xml-tree.ts'

/**
 * Checks a workbook by the rules of ECMA-376 part 1 and 2 and the limits of Excel, as far as our writers
 * touch them. Returns what a spreadsheet program would refuse ("We found a problem with some content …"), in
 * words.
 */
export function checkWorkbook(bytes: Uint8Array): string[] {
  const parts = readZip(bytes)
  const checked = new WorkbookCheck(parts)
  checked.run()
  return checked.problems
}

/** Children in the order of the schema (ECMA-376 part 1, annex A). */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  worksheet: (
    'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection ' +
    'protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews ' +
    'mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions ' +
    'pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ' +
    'ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture ' +
    'oleObjects controls webPublishItems tableParts extLst'
  ).split(' '),
  styleSheet:
    'numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst'.split(' '),
  workbook: (
    'fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups ' +
    'externalReferences definedNames calcPr oleSize customWorkbookViews pivotCaches ' +
    'smartTagPr smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst'
  ).split(' '),
  comments: ['authors', 'commentList', 'extLst'],
  ThreadedComments: ['threadedComment', 'extLst'],
  threadedComment: ['text', 'mentions', 'extLst'],
  personList: ['person', 'extLst'],
  c: ['f', 'v', 'is', 'extLst'],
  is: ['t', 'r', 'rPh', 'phoneticPr'],
  text: ['t', 'r', 'rPh', 'phoneticPr'],
  r: ['rPr', 't'],
  xf: ['alignment', 'protection', 'extLst'],
  dxf: ['font', 'numFmt', 'fill', 'alignment', 'border', 'protection', 'extLst'],
  sheetView: ['pane', 'selection', 'pivotSelection', 'extLst'],
  dataValidation: ['formula1', 'formula2'],
}
/** Elements that may occur more than once in their parent. */
const MANY = new Set([
  'conditionalFormatting',
  'r',
  'rPh',
  'selection',
  'pivotSelection',
  'threadedComment',
  'person',
])
/** Elements whose `count` must be the number of their children. */
const COUNTED = (
  'numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs mergeCells ' +
  'dataValidations tableParts'
).split(' ')

const MAX_TEXT = 32_767
const MAX_FORMATS = 65_490
const MAX_COLUMN = 16_383
/** 255 characters and their padding. */
const MAX_WIDTH = 256
const MAX_HYPERLINKS = 65_530
const MAX_ROW = 1_048_576
const FIRST_OWN_FORMAT = 164
const GUID = /^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/

class WorkbookCheck {
  readonly problems: string[] = []
  private readonly parts: ReadonlyMap<string, string>
  private readonly trees = new Map<string, XmlElement>()
  private keys: ReadonlySet<string> | null = null
  /** The sheet of each part of notes. */
  private readonly notesOf = new Map<string, string>()
  private formats = Infinity
  private dxfs = Infinity

  constructor(parts: ReadonlyMap<string, string>) {
    this.parts = parts
  }

  run(): void {
    for (const [name, text] of this.parts) if (/\.(?:xml|rels|vml)$/i.test(name)) this.parse(name, text)
    for (const [name, tree] of this.trees) {
      this.order(name, tree)
      if (tree.name === 'Relationships') this.relationships(name, tree)
      if (tree.name === 'styleSheet') this.styles(name, tree)
    }
    for (const [name, tree] of this.trees) {
      if (tree.name === 'worksheet') this.worksheet(name, tree)
      if (tree.name === 'workbook') this.workbook(name, tree)
    }
    this.contentTypes()
  }

  private report(part: string, problem: string): void {
    this.problems.push(`${part}: ${problem}`)
  }

  /** Ignores case in the names of parts (ECMA-376 part 2, 6.2.2.3). */
  private hasPart(name: string): boolean {
    this.keys ??= new Set([...this.parts.keys()].map((key) => key.toLowerCase()))
    return this.keys.has(name.toLowerCase())
  }

  private parse(name: string, text: string): void {
    try {
      this.trees.set(name, parseXml(text))
    } catch (error) {
      this.report(name, (error as Error).message)
    }
  }

  private order(part: string, element: XmlElement): void {
    const order = ORDER[element.name]
    let reached = 0
    for (const child of element.children) {
      const name = readAlternative(child).name
      const place = order?.indexOf(name) ?? -1
      if (place >= 0 && (place < reached || (place === reached - 1 && !MANY.has(name)))) {
        this.report(part, `${name} is out of order in ${element.name}, or exists twice`)
      }
      if (place >= 0) reached = MANY.has(name) ? place : place + 1
      this.order(part, child)
    }
    const count = attributeOf(element, 'count')
    if (COUNTED.includes(element.name) && count !== undefined && Number(count) !== element.children.length) {
      this.report(part, `${element.name} has the count ${count} and ${element.children.length} children`)
    }
  }

  private relationships(part: string, tree: XmlElement): void {
    const folder = part.replace(/_rels\/[^/]*$/, '')
    this.unique(
      part,
      'Id',
      childrenOf(tree, 'Relationship').map((link) => attributeOf(link, 'Id') ?? ''),
    )
    for (const link of childrenOf(tree, 'Relationship')) {
      if (attributeOf(link, 'TargetMode') === 'External') continue
      const target = attributeOf(link, 'Target') ?? ''
      if (!target.startsWith('#') && !this.hasPart(resolved(folder, target)))
        this.report(part, `links to ${target}, which does not exist`)
    }
  }

  private contentTypes(): void {
    const part = '[Content_Types].xml'
    const tree = this.trees.get(part)
    if (tree === undefined) return this.report(part, 'is missing')
    const defaults = childrenOf(tree, 'Default').map((type) =>
      (attributeOf(type, 'Extension') ?? '').toLowerCase(),
    )
    const overrides = childrenOf(tree, 'Override').map((type) =>
      (attributeOf(type, 'PartName') ?? '').slice(1).toLowerCase(),
    )
    this.unique(part, 'Extension', defaults)
    this.unique(part, 'PartName', overrides)
    for (const name of overrides)
      if (!this.hasPart(name)) this.report(part, `types ${name}, which does not exist`)
    for (const name of this.parts.keys()) {
      const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
      if (
        name !== part &&
        !name.endsWith('/') &&
        !overrides.includes(name.toLowerCase()) &&
        !defaults.includes(ending)
      )
        this.report(part, `has no type for ${name}`)
    }
  }

  private styles(part: string, tree: XmlElement): void {
    const list = (name: string) => (childrenOf(tree, name)[0]?.children ?? []).map(readAlternative)
    this.formats = list('cellXfs').length
    this.dxfs = list('dxfs').length
    if (this.formats > MAX_FORMATS) this.report(part, `has ${this.formats} cell formats`)
    const own = new Set(list('numFmts').map((format) => attributeOf(format, 'numFmtId')))
    const bounds = {
      fontId: list('fonts'),
      fillId: list('fills'),
      borderId: list('borders'),
      xfId: list('cellStyleXfs'),
    }
    for (const format of [...list('cellXfs'), ...list('cellStyleXfs')]) {
      for (const [name, all] of Object.entries(bounds)) {
        const id = attributeOf(format, name)
        if (id !== undefined && Number(id) >= all.length)
          this.report(part, `a format has the ${name} ${id} of ${all.length}`)
      }
      const numberFormat = attributeOf(format, 'numFmtId') ?? '0'
      if (Number(numberFormat) >= FIRST_OWN_FORMAT && !own.has(numberFormat))
        this.report(part, `the number format ${numberFormat} does not exist`)
    }
  }

  private workbook(part: string, tree: XmlElement): void {
    const sheets = childrenOf(childrenOf(tree, 'sheets')[0], 'sheet')
    const names = sheets.map((sheet) => attributeOf(sheet, 'name') ?? '')
    this.unique(
      part,
      'sheet',
      names.map((name) => name.toLowerCase()),
    )
    this.unique(
      part,
      'sheetId',
      sheets.map((sheet) => attributeOf(sheet, 'sheetId') ?? ''),
    )
    this.links(part, tree)
    for (const name of names)
      if (name === '' || plainLength(name) > 31 || /[[\]:*?/\\]|^'|'$/.test(name))
        this.report(part, `the sheet name ${JSON.stringify(name)}`)
    if (
      sheets.every(
        (sheet) => attributeOf(sheet, 'state') !== undefined && attributeOf(sheet, 'state') !== 'visible',
      )
    )
      this.report(part, 'shows no sheet')
  }

  private worksheet(part: string, tree: XmlElement): void {
    const links = this.links(part, tree)
    this.cells(part, tree)
    this.columns(part, tree)
    const hyperlinks = childrenOf(childrenOf(tree, 'hyperlinks')[0], 'hyperlink').length
    if (hyperlinks > MAX_HYPERLINKS) this.report(part, `has ${hyperlinks} hyperlinks`)
    for (const rule of elementsOf(tree, 'cfRule')) {
      if (Number(attributeOf(rule, 'dxfId') ?? 0) >= Math.max(1, this.dxfs))
        this.report(part, 'a conditional format does not exist')
    }
    for (const rule of elementsOf(tree, 'dataValidation')) this.dataValidation(part, rule)
    const targets = [...links.values()]
    const comments = targets.filter(({ type }) => type === 'comments').map(({ target }) => target)
    if (comments.length > 1) this.report(part, 'has two parts of notes')
    for (const name of comments) {
      if (this.notesOf.has(name)) this.report(part, `shares its notes with ${this.notesOf.get(name)}`)
      this.notesOf.set(name, part)
    }
    const [drawing] = elementsOf(tree, 'legacyDrawing')
    const boxes = drawing && links.get(attributeOf(drawing, 'id') ?? '')?.target
    if (comments.length === 1) this.notes(comments[0], boxes)
    for (const { type, target } of targets) if (type === 'threadedComment') this.threads(target)
  }

  /** Every comment has a person; every reply has a thread on its cell ([MS-XLSX] 2.6.205). */
  private threads(part: string): void {
    const all = (name: string) => [...this.trees.values()].flatMap((tree) => [...elementsOf(tree, name)])
    const persons = new Set(all('person').map((person) => attributeOf(person, 'id')))
    const comments = childrenOf(this.trees.get(part), 'threadedComment')
    const ids = all('threadedComment').map((comment) => attributeOf(comment, 'id') ?? '')
    this.unique(part, 'comment', ids)
    for (const comment of comments) {
      const [reference, id, person, parent] = ['ref', 'id', 'personId', 'parentId'].map((name) =>
        attributeOf(comment, name),
      )
      for (const guid of [id, person, parent ?? id])
        if (!GUID.test(guid ?? '')) this.report(part, `the id ${guid} is no GUID`)
      if (!persons.has(person)) this.report(part, `the person ${person} does not exist`)
      const root = comments.find((other) => attributeOf(other, 'id') === parent)
      if (
        parent !== undefined &&
        (attributeOf(root!, 'ref') !== reference || attributeOf(root!, 'parentId') !== undefined)
      )
        this.report(part, `${id} replies to ${parent}, which does not exist`)
      if (textLength(comment) > MAX_TEXT) this.report(part, `the comment ${id} is too long`)
    }
  }

  /** The links of a part by id. Reports ids that the part uses and that do not exist. */
  private links(part: string, tree: XmlElement): Map<string, { type: string; target: string }> {
    const slash = part.lastIndexOf('/') + 1
    const key = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`.toLowerCase()
    const rels = [...this.trees].find(([name]) => name.toLowerCase() === key)?.[1]
    const found = new Map(
      childrenOf(rels, 'Relationship').map((link) => [
        attributeOf(link, 'Id') ?? '',
        {
          type: attributeOf(link, 'Type')?.split('/').at(-1) ?? '',
          target: resolved(part.slice(0, slash), attributeOf(link, 'Target') ?? ''),
        },
      ]),
    )
    for (const id of usedLinks(tree))
      if (!found.has(id)) this.report(part, `uses the link ${id}, which does not exist`)
    return found
  }

  private cells(part: string, tree: XmlElement): void {
    let lastRow = 0
    for (const row of childrenOf(childrenOf(tree, 'sheetData')[0], 'row')) {
      const number = Number(attributeOf(row, 'r') ?? lastRow + 1)
      if (number <= lastRow || number > MAX_ROW) this.report(part, `row ${number} follows row ${lastRow}`)
      lastRow = number
      let lastColumn = -1
      for (const cell of childrenOf(row, 'c')) {
        const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(attributeOf(cell, 'r') ?? '') ?? []
        const column = letters === undefined ? lastColumn + 1 : columnIndex(letters)
        if (
          column <= lastColumn ||
          column > MAX_COLUMN ||
          (digits !== undefined && Number(digits) !== number)
        )
          this.report(part, `the cell ${letters}${digits} is out of place`)
        lastColumn = column
        this.cell(part, cell)
      }
    }
  }

  private cell(part: string, cell: XmlElement): void {
    const style = Number(attributeOf(cell, 's') ?? 0)
    if (!(style < this.formats)) this.report(part, `the cell format ${style} of ${this.formats}`)
    for (const text of elementsOf(cell, 't')) {
      if (plainLength(text.text) > MAX_TEXT) this.report(part, 'a text is too long')
      if (/^[ \t\r\n]|[ \t\r\n]$/.test(text.text) && attributeOf(text, 'space') !== 'preserve')
        this.report(part, 'white space is not preserved')
    }
  }

  private columns(part: string, tree: XmlElement): void {
    let last = 0
    for (const column of childrenOf(childrenOf(tree, 'cols')[0], 'col')) {
      const [from, to, width] = ['min', 'max', 'width'].map((name) => Number(attributeOf(column, name) ?? 0))
      if (from <= last || to < from || to > MAX_COLUMN + 1)
        this.report(part, `the columns ${from} to ${to} are out of place`)
      if (!(width < MAX_WIDTH)) this.report(part, `a column is ${width} wide`)
      last = to
    }
  }

  /** Limits of Excel: 255 characters in a list and in texts, 32 in titles. */
  private dataValidation(part: string, rule: XmlElement): void {
    if ((attributeOf(rule, 'sqref') ?? '') === '') this.report(part, 'a data validation has no cells')
    const list = childrenOf(rule, 'formula1')[0]?.text ?? ''
    if (list.startsWith('"') && plainLength(list) > 257) this.report(part, 'a list is too long')
    for (const [name, bound] of [
      ['promptTitle', 32],
      ['errorTitle', 32],
      ['prompt', 255],
      ['error', 225],
    ] as const) {
      if (plainLength(attributeOf(rule, name) ?? '') > bound) this.report(part, `a ${name} is too long`)
    }
  }

  private notes(part: string, boxes: string | undefined): void {
    const tree = this.trees.get(part)
    if (tree === undefined) return
    const authors = childrenOf(childrenOf(tree, 'authors')[0], 'author').length
    const comments = childrenOf(childrenOf(tree, 'commentList')[0], 'comment')
    this.unique(
      part,
      'note',
      comments.map((comment) => attributeOf(comment, 'ref') ?? ''),
    )
    for (const comment of comments) {
      if (!(Number(attributeOf(comment, 'authorId')) < authors)) this.report(part, 'a note has no author')
      if (textLength(comment) > MAX_TEXT)
        this.report(part, `the note at ${attributeOf(comment, 'ref')} is too long`)
    }
    const drawing = boxes === undefined ? undefined : this.trees.get(boxes)
    if (drawing === undefined)
      return comments.length > 0 ? this.report(part, 'its notes have no boxes') : undefined
    this.unique(
      boxes!,
      'shape',
      [...elementsOf(drawing, 'shape')].map((shape) => attributeOf(shape, 'id') ?? ''),
    )
    const shapes = [...elementsOf(drawing, 'shape')].filter((shape) =>
      [...elementsOf(shape, 'ClientData')].some((data) => attributeOf(data, 'ObjectType') === 'Note'),
    )
    const places = shapes.map(
      (shape) =>
        [...elementsOf(shape, 'Column')].map(({ text }) => text.trim()) +
        ' ' +
        [...elementsOf(shape, 'Row')].map(({ text }) => text.trim()),
    )
    this.unique(boxes!, 'place', places)
    for (const comment of comments) {
      const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(attributeOf(comment, 'ref') ?? '')!
      if (!places.includes(`${columnIndex(letters)} ${Number(digits) - 1}`))
        this.report(part, `the note at ${letters}${digits} has no box`)
    }
  }

  private unique(part: string, what: string, values: readonly string[]): void {
    const seen = new Set<string>()
    for (const value of values) {
      if (seen.has(value)) this.report(part, `has the ${what} ${value} twice`)
      seen.add(value)
    }
  }
}

/** The element to read of an alternative: its fallback, else its first choice. */
const readAlternative = (element: XmlElement): XmlElement =>
  element.name === 'AlternateContent'
    ? (element.children.findLast(({ children }) => children.length > 0)?.children[0] ?? element)
    : element

/** Values of `r:id` and similar attributes, at any depth. */
function* usedLinks(element: XmlElement): Generator<string> {
  for (const [name, value] of element.attributes)
    if (/^\w+:(?:id|embed|link)$/.test(name) && !name.startsWith('xmlns')) yield value
  for (const child of element.children) yield* usedLinks(child)
}

function resolved(folder: string, target: string): string {
  const segments = target.startsWith('/') ? [] : folder.split('/').filter((segment) => segment !== '')
  for (const segment of target.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

/** The number of characters in an element and its descendants. */
const textLength = (element: XmlElement): number =>
  plainLength(element.text) + element.children.reduce((sum, child) => sum + textLength(child), 0)

const plainLength = (text: string) => text.replace(/&[^;]+;/g, '.').replace(/_x[0-9A-F]{4}_/g, '.').length
