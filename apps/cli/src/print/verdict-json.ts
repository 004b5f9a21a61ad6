import { ErrorType, fileProblemText, type Verdict } from '@veridict/contract/model/verdict'
import { jsonCause } from '@veridict/contract/model/cause'
import { jsonRow } from '@veridict/contract/model/cell-error'

/** A verdict for programs. Counts are null if nothing was counted. */
export function jsonVerdict(verdict: Verdict): object {
  if (verdict.kind === 'fileProblem') {
    const { errorType, causes = [], columns = [] } = verdict.problem
    return {
      verdict: verdict.kind,
      errorType,
      errorMessage: fileProblemText(verdict.problem),
      recordsCount: null,
      errorRowCount: null,
      cellErrorCount: null,
      causes: causes.map(jsonCause),
      rows: [],
      warningCount: null,
      warningRowCount: null,
      warningRows: [],
      columns,
    }
  }
  const { kind, recordsCount, warnings } = verdict
  const { errorRowCount, cellErrorCount, causes, rows } = kind === 'passed' ? noErrors : verdict
  return {
    verdict: kind,
    errorType: kind === 'passed' ? null : ErrorType.RowErrors,
    errorMessage: null,
    recordsCount,
    errorRowCount,
    cellErrorCount,
    causes: [...causes, ...(warnings?.causes ?? [])].map(jsonCause),
    rows: rows.map(jsonRow),
    warningCount: warnings?.warningCount ?? 0,
    warningRowCount: warnings?.warningRowCount ?? 0,
    warningRows: (warnings?.warningRows ?? []).map(jsonRow),
  }
}

const noErrors = { errorRowCount: 0, cellErrorCount: 0, causes: [], rows: [] }
