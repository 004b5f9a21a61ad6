import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, TextRule } from '@veridict/contract/model/rule'
import { closeSync, openSync, writeSync } from 'node:fs'
import { addPositions, type Counts, positionOf } from '../findings.ts'
import { type Column, digits, twoDigits } from './columns.ts'
import { SeededRandom } from './seeded-random.ts'

/** The bad cells of a generated file: every program's findings are compared with them. */
export type Truth = Counts & {
  bytes: number
  rows: number
  badRows: number
  perColumn: number[]
  positions: number
}

/** Makes rows one after the other and counts their bad cells. */
export class RowMaker {
  readonly truth: Truth
  readonly #columns: readonly Column[]
  readonly #badShare: number
  readonly #random: SeededRandom

  constructor(columns: readonly Column[], seed: number, badShare: number) {
    this.#columns = columns
    this.#badShare = badShare
    this.#random = new SeededRandom(seed)
    this.truth = { bytes: 0, rows: 0, badRows: 0, badCells: 0, positions: 0, perColumn: columns.map(() => 0) }
  }

  next(): string[] {
    const badBefore = this.truth.badCells
    const cells = this.#columns.map((column, index) => this.#cell(column, index))
    this.truth.rows++
    if (this.truth.badCells > badBefore) this.truth.badRows++
    return cells
  }

  #cell(column: Column, index: number): string {
    const isBad = this.#badShare > 0 && this.#random.isLikely(this.#badShare)
    if (!isBad) return column.make(this.#random, this.truth.rows + 1)
    const text = badCell(column, this.#random)
    const { truth } = this
    truth.badCells++
    truth.perColumn[index]++
    truth.positions = addPositions(truth.positions, positionOf(truth.rows, index, this.#columns.length))
    return text
  }
}

const WRITE_BYTES = 1 << 20
/** From so many bytes before the requested size on, each row is written at once. */
const LAST_WRITE_BYTES = 400
/** A file is complete when it is so many bytes below the requested size. */
const TOLERANCE_BYTES = 600

/** Writes rows until the file has about `bytes` bytes. RFC 4180, UTF-8, lines end in LF. */
export function writeCsv(path: string, columns: readonly Column[], rows: RowMaker, bytes: number): void {
  const file = openSync(path, 'w')
  let pending = `${columns.map(({ name }) => quoted(name)).join(',')}\n`
  let written = 0
  while (written < bytes - TOLERANCE_BYTES) {
    pending += `${rows.next().map(quoted).join(',')}\n`
    if (pending.length <= WRITE_BYTES && written + pending.length < bytes - LAST_WRITE_BYTES) continue
    written += writeSync(file, pending)
    pending = ''
  }
  closeSync(file)
  rows.truth.bytes = written
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A cell that is wrong for every compared program. */
function badCell(field: Field, random: SeededRandom): string {
  if (field.required && random.below(4) === 0) return ''
  const { rule } = field
  switch (rule.type) {
    case 'text':
      return badText(rule, random)
    case 'number':
      return badNumber(rule, random)
    case 'date':
      return badDate(random)
    case 'pattern':
      return random.oneOf(['clm_', '??', 'x-', 'AB 12', '(0) ']) + random.below(1000)
    case 'list':
      return random.oneOf(['open', 'Unknown', 'PAID', 'n.a.', 'Opened'])
  }
}

function badText({ minLength = 0, maxLength = 0 }: TextRule, random: SeededRandom): string {
  return minLength > 1 && random.below(2) ? 'Pß1' : `long ${'é'.repeat(3)}${'x'.repeat(maxLength)}`
}

function badNumber({ scale = 0, minimum = 0, maximum = 0 }: NumberRule, random: SeededRandom): string {
  switch (random.below(4)) {
    case 0:
      return random.oneOf(['abc', 'N/A', '12,50', '1.2.3', '--5'])
    case 1: {
      const whole = random.below(99)
      const decimals = digits(random, scale)
      // The last digit is not zero: a workbook would drop it, and the number would be right again.
      return `${whole}.${decimals}${1 + random.below(9)}`
    }
    case 2:
      return String(maximum + 1 + random.below(1000))
    default:
      return String(minimum - 1 - random.below(1000))
  }
}

/** All fields have the format dd/MM/yyyy. */
function badDate(random: SeededRandom): string {
  switch (random.below(5)) {
    case 0:
      return `31/02/20${twoDigits(random.below(24))}`
    case 1: {
      const year = twoDigits(random.below(24))
      const month = 1 + random.below(9)
      return `20${year}-0${month}-1${random.below(10)}`
    }
    case 2: {
      const day = 1 + random.below(9)
      const month = 1 + random.below(9)
      return `${day}/${month}/20${twoDigits(random.below(24))}`
    }
    case 3:
      return '29/02/2023'
    default:
      return `${twoDigits(1 + random.below(28))}/13/2022`
  }
}
