import { parseDateFormat } from '@veridict/contract/notation/date-format'
import { WrittenDate } from '#causes/written-date.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { SourceCellKind, TableSource } from '#source/table-source.ts'

/** What the bad cells of a column leave open, and its valid cells may show. */
export type ColumnQuestion = {
  readonly column: number
  readonly about: 'dayAndMonth' | 'misreadDates' | 'leadingZeros'
}

export type ValidValues = {
  /** A text whose day is above 12: valid dates have the order of the field's format. */
  hasOwnOrder: boolean
  /** Dates that would be valid, and another day, with day and month swapped; 0 if any day is above 12. */
  swappable: number
  /**
   * Dates whose day and month a spreadsheet has swapped on opening a file of the other order: 3 April,
   * written 04/03/2024, became 4 March. 0 unless all of the column look like that.
   */
  misread: number
  /** Whether codes that begin with a zero are there, or may be missing. */
  hasLeadingZeros: boolean
  lacksLeadingZeros: boolean
}

/** Valid codes that are looked at, and dates if a true one has a day above 12. */
const MOST_VALUES = 1000
/** Different first digits, 1 among them, that make the absence of 0 strange. */
const MANY_FIRST_DIGITS = 5
/**
 * As many dates, on as many days of the month, all up to the 12th are no coincidence: eight dates of any days
 * are all up to the 12th once in 1,700 columns. First days of months are one day.
 */
const FEWEST_MISREAD = 8
const FEWEST_MISREAD_DAYS = 5
/** Texts without a date among them: the file is no workbook, or its dates are texts. */
const MOST_TEXTS = 1000
/** Of a workbook: a chunk of the sheet has twice as many rows as most answers need. */
const CELLS_PER_BATCH = 1 << 13

/**
 * Reads valid values to answer what the bad ones leave open. Ends once all is answered, mostly within the
 * first rows; reads the whole file only where all dates of a column may have day and month swapped.
 */
export async function readValidValues(
  table: TableSource,
  columns: readonly ColumnCheck[],
  questions: readonly ColumnQuestion[],
): Promise<ReadonlyMap<number, ValidValues>> {
  const found = new Map(questions.map(({ column }) => [column, { ...nothing }]))
  const open = questions.map(({ column, about }) => ({
    column,
    reader: observers[about](columns[column], found.get(column)!),
  }))
  if (open.length === 0) return found
  let pending = open
  const options = { withKinds: true, cellsPerBatch: CELLS_PER_BATCH, columns: new Set(found.keys()) }
  for await (const rows of table.rows(options)) {
    for (const { cells, kinds } of rows) {
      // What follows the answer in a batch, whose size depends on how the file is read, must not change it.
      for (const { column, reader } of pending)
        if (!reader.isDone() && kinds?.[column] !== 'error')
          reader.observe((cells[column] ?? '').trim(), kinds?.[column])
    }
    pending = pending.filter(({ reader }) => !reader.isDone())
    if (pending.length === 0) break
  }
  for (const { reader } of open) reader.end()
  return found
}

type Observer = {
  observe(text: string, kind: SourceCellKind | undefined): void
  isDone(): boolean
  end(): void
}

const nothing: ValidValues = {
  hasOwnOrder: false,
  swappable: 0,
  misread: 0,
  hasLeadingZeros: false,
  lacksLeadingZeros: false,
}

function dateObserver({ field, check }: ColumnCheck, found: ValidValues): Observer {
  const date = new WrittenDate()
  const { parts } = parseDateFormat(field!.rule.type === 'date' ? field!.rule.format : '')!
  const isDayFirst = parts.findIndex((part) => part[0] === 'd') < parts.findIndex((part) => part[0] === 'M')
  let dates = 0
  let isRight = false
  return {
    // A true date reads yyyy-MM-dd, and is valid. It may be swapped: a spreadsheet takes 03/04 in its own
    // order, and leaves 25/12 as text. Without a separator it proves nothing of texts.
    observe(text, kind) {
      if (text === '' || (kind !== 'moment' && check(text) !== null)) return
      // A true date with a time of day is an error.
      if (!date.read(text) || date.end < text.length) return
      const isYearFirst = date.month !== 0
      const day = isYearFirst ? date.day : isDayFirst ? date.first : date.second
      const month = isYearFirst ? date.month : isDayFirst ? date.second : date.first
      dates++
      if (day > 12) {
        isRight = true
        if (kind !== 'moment') found.hasOwnOrder = true
      } else if (day !== month) found.swappable++
    },
    isDone: () => found.hasOwnOrder || (isRight && dates >= MOST_VALUES),
    end() {
      if (isRight) found.swappable = 0
    },
  }
}

/** A spreadsheet that reads the month first leaves 25/12/2024 as text, and makes dates of the others. */
function misreadObserver({ check }: ColumnCheck, found: ValidValues): Observer {
  const date = new WrittenDate()
  const days = new Set<number>()
  let dates = 0
  let swapped = 0
  let texts = 0
  let isDone = false
  return {
    observe(text, kind) {
      if (text === '' || isDone) return
      const isDay = kind === 'moment' && date.read(text) && date.end === text.length
      if (isDay && date.month !== 0 && date.day <= 12) {
        dates++
        days.add(date.day)
        if (date.day !== date.month) swapped++
      } else isDone = kind === 'moment' || check(text) === null || (++texts >= MOST_TEXTS && dates === 0)
    },
    isDone: () => isDone,
    end() {
      if (!isDone && dates >= FEWEST_MISREAD && days.size >= FEWEST_MISREAD_DAYS) found.misread = swapped
    },
  }
}

function codeObserver({ check }: ColumnCheck, found: ValidValues): Observer {
  const firstDigits = new Set<string>()
  let count = 0
  let hasOthers = false
  return {
    observe(text, kind) {
      if (text === '' || kind !== undefined || count >= MOST_VALUES || check(text) !== null) return
      count++
      if (/^\d+$/.test(text)) firstDigits.add(text[0])
      else hasOthers = true
    },
    isDone: () => count >= MOST_VALUES,
    end() {
      found.hasLeadingZeros = firstDigits.has('0')
      const isStrange = firstDigits.has('1') && firstDigits.size >= MANY_FIRST_DIGITS
      found.lacksLeadingZeros = !hasOthers && !firstDigits.has('0') && (count === 0 || isStrange)
    },
  }
}

const observers = { dayAndMonth: dateObserver, misreadDates: misreadObserver, leadingZeros: codeObserver }
