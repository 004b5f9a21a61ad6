import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { historyQuery } from './api.ts'
import { FixedLine } from './fixed-line.tsx'
import { pollInterval, useLiveStatus } from './live-status.ts'
import { StatusLabel } from './status-label.tsx'
import classes from './uploaded-panel.module.css'

/** What the server returned for an upload. */
export type UploadedFile = Pick<SubmissionItem, 'id' | 'fileName'>

/** Says that a file was uploaded, then its status, live, and at last its verdict. */
export function UploadedPanel({ id, fileName }: UploadedFile) {
  const submission = useSubmission({ id, fileName })
  return (
    <SuccessPanel
      title={uploadMessages.uploadedTitle}
      text={uploadMessages.uploadedText}
      isNeutral={submission !== undefined && hasFailed(submission)}
    >
      {submission !== undefined && (
        <p className={classes.status}>
          <BreakableName name={fileName} />
          <StatusLabel {...submission} />
          {submission.status === SubmissionStatus.ValidationFailed && (
            <Anchor component={Link} to={paths.fileError(id)} fw={600}>
              {submissionMessages.viewErrors}
            </Anchor>
          )}
          {submission.status === SubmissionStatus.IngestionSuccess && Boolean(submission.warningRowCount) && (
            <Anchor component={Link} to={paths.fileError(id)} fw={600}>
              {submissionMessages.viewWarnings}
            </Anchor>
          )}
          {submission.status === SubmissionStatus.IngestionSuccess && (
            <Anchor component={Link} to={paths.receipt(id)} fw={600}>
              {receiptMessages.receipt}
            </Anchor>
          )}
        </p>
      )}
      {submission?.status === SubmissionStatus.IngestionSuccess && <FixedLine id={id} />}
      <Anchor component={Link} to={paths.home} fw={600}>
        Go back to home
      </Anchor>
    </SuccessPanel>
  )
}

const hasFailed = ({ status }: SubmissionItem) =>
  status === SubmissionStatus.ValidationFailed || status === SubmissionStatus.IngestionFailed

/** A submission by its row in the history, which the server's pushes change; undefined until it is read. */
function useSubmission({ id, fileName }: UploadedFile): SubmissionItem | undefined {
  const { isLive } = useLiveStatus()
  const find = (rows: readonly SubmissionItem[] | undefined) => rows?.find((row) => row.id === id)
  const { data } = useQuery({
    ...historyQuery(fileName, [], 1),
    refetchInterval: ({ state }) => {
      const row = find(state.data?.data)
      return row === undefined ? false : pollInterval([row], isLive)
    },
  })
  return find(data?.data)
}
