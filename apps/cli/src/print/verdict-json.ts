import { ErrorType } from '@veridict/contract/model/error-type'
import { jsonCause } from '@veridict/contract/model/cause'
import { jsonRow } from '@veridict/contract/model/cell-error'
import { fileProblemText, type Verdict, type Warnings } from '@veridict/contract/model/verdict'

/** A verdict for programs. Counts are null if nothing was counted. */
export function verdictAsJson(verdict: Verdict): string {
  return `${JSON.stringify(jsonVerdict(verdict), null, 1)}\n`
}

function jsonVerdict(verdict: Verdict): object {
  switch (verdict.kind) {
    case 'passed':
      return {
        ...head('passed', null, null),
        recordsCount: verdict.recordsCount,
        errorRowCount: 0,
        cellErrorCount: 0,
        causes: (verdict.warnings?.causes ?? []).map(jsonCause),
        rows: [],
        ...jsonWarnings(verdict.warnings),
      }
    case 'rowErrors': {
      const { recordsCount, errorRowCount, cellErrorCount, causes, rows } = verdict
      return {
        ...head('rowErrors', ErrorType.RowErrors, null),
        recordsCount,
        errorRowCount,
        cellErrorCount,
        causes: [...causes, ...(verdict.warnings?.causes ?? [])].map(jsonCause),
        rows: rows.map(jsonRow),
        ...jsonWarnings(verdict.warnings),
      }
    }
    case 'fileProblem': {
      const { problem } = verdict
      return {
        ...head('fileProblem', problem.errorType, fileProblemText(problem)),
        recordsCount: null,
        errorRowCount: null,
        cellErrorCount: null,
        causes: (problem.causes ?? []).map(jsonCause),
        rows: [],
        warningCount: null,
        warningRowCount: null,
        warningRows: [],
        columns: problem.columns ?? [],
      }
    }
  }
}

const jsonWarnings = (warnings: Warnings | undefined) => ({
  warningCount: warnings?.warningCount ?? 0,
  warningRowCount: warnings?.warningRowCount ?? 0,
  warningRows: (warnings?.warningRows ?? []).map(jsonRow),
})

const head = (verdict: Verdict['kind'], errorType: ErrorType | null, errorMessage: string | null) => ({
  verdict,
  errorType,
  errorMessage,
})
