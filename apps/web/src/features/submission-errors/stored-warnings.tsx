import { useQuery } from '@tanstack/react-query'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import type { Cause } from '@veridict/contract/model/cause'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { WarningPart, WarningRows } from '#verdict/warning-part.tsx'
import { storedRowsQuery } from './api.ts'

type StoredWarningsProps = { report: ErrorReport; causes: readonly Cause[] }

/** The warnings of a report. The rows of a rule are read when they are shown. */
export const StoredWarnings = ({ report, causes }: StoredWarningsProps) => (
  <WarningPart
    {...report}
    causes={causes}
    rowsOf={(cause) => <RowsOfCause submissionId={report.id} cause={cause} />}
  />
)

function RowsOfCause({ submissionId, cause }: { submissionId: number; cause: Cause }) {
  const rows = useQuery(storedRowsQuery(submissionId, cause.id))
  if (rows.data !== undefined) return <WarningRows cause={cause} rows={rows.data} />
  return rows.isError ? <LoadFailure what="The rows" query={rows} /> : <SkeletonRows count={3} />
}
