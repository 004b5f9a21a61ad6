import { ErrorType } from '@veridict/contract/model/error-type'
import { fileProblemText, type Verdict } from '@veridict/contract/model/verdict'

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
        causes: [],
        rows: [],
      }
    case 'rowErrors': {
      const { recordsCount, errorRowCount, cellErrorCount, causes, rows } = verdict
      return {
        ...head('rowErrors', ErrorType.RowErrors, null),
        recordsCount,
        errorRowCount,
        cellErrorCount,
        causes,
        rows,
      }
    }
    case 'fileProblem': {
      const { problem } = verdict
      return {
        ...head('fileProblem', problem.errorType, fileProblemText(problem)),
        recordsCount: null,
        errorRowCount: null,
        cellErrorCount: null,
        causes: [],
        rows: [],
        columns: problem.columns ?? [],
      }
    }
  }
}

const head = (verdict: Verdict['kind'], errorType: ErrorType | null, errorMessage: string | null) => ({
  verdict,
  errorType,
  errorMessage,
})
