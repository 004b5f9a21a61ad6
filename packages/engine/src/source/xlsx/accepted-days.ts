/** Results are cached for serial numbers below this: days up to 2173. */
const REMEMBERED_DAYS = 100_000
const UNKNOWN = 0
const FINE = 1
const UNSURE = 2

/** Caches which days the date columns accept, by column and serial number: the days of a sheet repeat. */
export class AcceptedDays {
  private readonly days: (Uint8Array | null)[]
  private readonly isFine: (column: number, serial: number) => boolean

  constructor(columns: number, isFine: (column: number, serial: number) => boolean) {
    this.days = Array.from({ length: columns }, () => null)
    this.isFine = isFine
  }

  /** Whether it is known that the column accepts the day. */
  has(column: number, serial: number): boolean {
    if (serial >= REMEMBERED_DAYS) return false
    const days = (this.days[column] ??= new Uint8Array(REMEMBERED_DAYS))
    if (days[serial] === UNKNOWN) days[serial] = this.isFine(column, serial) ? FINE : UNSURE
    return days[serial] === FINE
  }
}
