import { useTimeout } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { submissionStatusTexts } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { isSettled, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { useState } from 'react'
import { paths } from '#app/paths.ts'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { TextLink } from '#ui/forms/action-button.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { historyQuery, pollInterval, useLiveStatus } from './api.ts'
import { FixedLine } from './fixed-line.tsx'
import { StatusLabel, verdictLinks } from './status-label.tsx'
import classes from './uploaded-panel.module.css'

export type UploadedFile = Pick<SubmissionItem, 'id' | 'fileName'>

/** The verdict of a small file comes within half a second, in which nobody has read that it was uploaded. */
const READING_MILLISECONDS = 2_000

/** Says that a file was uploaded, with its live status, until the verdict takes the place of that. */
export function UploadedPanel({ id, fileName }: UploadedFile) {
  const submission = useSubmission({ id, fileName })
  const status = submission?.status
  const [wasRead, setWasRead] = useState(false)
  useTimeout(() => setWasRead(true), READING_MILLISECONDS, { autoInvoke: true })
  const said =
    status === undefined || !isSettled(status) || !wasRead
      ? { title: uploadMessages.uploadedTitle, text: uploadMessages.uploadedText }
      : { title: verdictTitles[status] ?? submissionStatusTexts[status], isBad: status !== IngestionSuccess }
  return (
    <SuccessPanel {...said}>
      {submission !== undefined && (
        <p className={classes.status}>
          <BreakableName name={fileName} />
          <StatusLabel {...submission} />
          {verdictLinks(submission).map(({ to, text }) => (
            <TextLink label={text} key={to} to={to} fw={600} />
          ))}
        </p>
      )}
      {status === IngestionSuccess && <FixedLine id={id} />}
      <TextLink label="Go back to home" to={paths.home} fw={600} />
    </SuccessPanel>
  )
}

const { IngestionSuccess, ValidationFailed } = SubmissionStatus
const verdictTitles: Partial<Record<SubmissionStatus, string>> = {
  [IngestionSuccess]: uploadMessages.accepted,
  [ValidationFailed]: uploadMessages.notAccepted,
}

/** A submission by its row in the history, which the server's pushes change; undefined until it is read. */
function useSubmission({ id, fileName }: UploadedFile): SubmissionItem | undefined {
  const isLive = useLiveStatus()
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
