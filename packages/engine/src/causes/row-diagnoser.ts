import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import { columnDiagnoser, type ColumnDiagnoser, type DiagnoserSettings } from '#causes/column-diagnoser.ts'
import { type BadCell, type Diagnosis, unresolved } from '#causes/diagnosis.ts'
import { ShiftDetector } from '#causes/shifted-row.ts'
import type { ColumnCheck } from '#compile/column-check.ts'

const shiftedRight: Diagnosis = { ...unresolved('shiftedRight'), isOfRow: true }
const shiftedLeft: Diagnosis = { ...unresolved('shiftedLeft'), isOfRow: true }

/** Different values of one list column that are compared with its options; fewer in a wide table. */
const MOST_VALUES = 2000
const MOST_VALUES_OF_TABLE = 100_000
const FEWEST_VALUES = 20

/** See `DiagnoserSettings`. It depends on the dictionary alone, so every range of a file has the same. */
export const mostValuesOf = (columns: readonly ColumnCheck[]): number =>
  Math.max(FEWEST_VALUES, Math.min(MOST_VALUES, Math.floor(MOST_VALUES_OF_TABLE / (columns.length + 1))))

type KnownValue = { readonly code: CellFaultCode; readonly diagnosis: Diagnosis }

/**
 * Faults whose diagnosis takes long, and whose values repeat. Lists keep their diagnoses themselves; values
 * outside a range seldom repeat.
 */
const REPEATED: ReadonlySet<CellFaultCode> = new Set([
  'notANumber',
  'decimalComma',
  'notADate',
  'notACalendarDay',
  'timeOfDay',
  'patternMismatch',
])
/** Longest value whose diagnosis is kept. */
const LONGEST_KNOWN = 64

/**
 * Without suggestions that are longer than what the screen shows of a value: nobody could compare them, and a
 * hundred rows of a wide workbook in which all cells share one long text would be gigabytes of them.
 */
function shortOnly(diagnosis: Diagnosis): Diagnosis {
  const isLong = (text: string | null) => text !== null && text.length > errorScreenLimits.maxValueLength
  const { suggestion, readings } = diagnosis
  return isLong(suggestion) || readings?.some(isLong)
    ? { ...diagnosis, suggestion: null, readings: null }
    : diagnosis
}

/** Says what seems to be wrong with the bad cells of a row. The same cells always have the same diagnoses. */
export class RowDiagnoser {
  readonly #columns: readonly ColumnCheck[]
  readonly #settings: DiagnoserSettings
  /** Made at the first row with two bad cells. */
  #shifts: ShiftDetector | undefined
  /** By column, the last for cells beyond the header. Made when a column has its first bad cell. */
  readonly #diagnosers: (ColumnDiagnoser | undefined)[]
  /** By column. */
  readonly #known: (Map<string, KnownValue> | undefined)[]

  constructor(columns: readonly ColumnCheck[], currentYear: number) {
    this.#columns = columns
    this.#settings = { currentYear, mostValues: mostValuesOf(columns) }
    this.#diagnosers = Array.from({ length: columns.length + 1 })
    this.#known = Array.from({ length: columns.length + 1 })
  }

  /** In the order of the cells. */
  diagnose(cells: readonly BadCell[]): readonly Diagnosis[] {
    if (cells.length > 1) {
      const shift = (this.#shifts ??= new ShiftDetector(this.#columns)).shiftOf(cells)
      if (shift !== 0) return cells.map(() => (shift === 1 ? shiftedRight : shiftedLeft))
    }
    if (cells.length === 1) return [this.#diagnosis(cells[0])]
    return cells.map((cell) => this.#diagnosis(cell))
  }

  /** The diagnosis of a single cell that belongs to no cause of whole rows. */
  #diagnosis({ column, fault, value }: BadCell): Diagnosis {
    const index = Math.min(column, this.#columns.length)
    const diagnoser = (this.#diagnosers[index] ??= columnDiagnoser(this.#columns[index], this.#settings))
    if (value.length > errorScreenLimits.maxValueLength) return shortOnly(diagnoser(fault, value))
    if (!REPEATED.has(fault.code) || value.length > LONGEST_KNOWN) return diagnoser(fault, value)
    const known = (this.#known[index] ??= new Map<string, KnownValue>())
    const found = known.get(value)
    if (found !== undefined && found.code === fault.code) return found.diagnosis
    const diagnosis = diagnoser(fault, value)
    if (known.size < this.#settings.mostValues) known.set(value, { code: fault.code, diagnosis })
    return diagnosis
  }
}
