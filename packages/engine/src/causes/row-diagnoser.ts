import type { ColumnCheck } from '#compile/column-check.ts'
import { type BadCell, type Diagnosis, diagnosisOf } from '#causes/diagnosis.ts'

/** Says what seems to be wrong with the bad cells of a row. The same cells always have the same diagnoses. */
export class RowDiagnoser {
  constructor(_columns: readonly ColumnCheck[]) {}

  /** In the order of the cells. */
  diagnose(cells: readonly BadCell[]): readonly Diagnosis[] {
    return cells.map(({ fault }) => diagnosisOf(fault))
  }
}
