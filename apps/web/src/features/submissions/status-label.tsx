import { Loader, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconFileOff } from '@tabler/icons-react'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { storageErrorTimes } from '@veridict/contract/limits'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usDateAfter } from '#ui/text/format.ts'
import classes from './status-label.module.css'

export type StatusLabelProps = Pick<
  SubmissionItem,
  'status' | 'createdAt' | 'errorRowCount' | 'warningRowCount'
>

/** A status in the history. The two that end in deletion have a tooltip. See docs/BEHAVIOUR.md#history. */
export function StatusLabel({ status, createdAt, errorRowCount, warningRowCount }: StatusLabelProps) {
  const purgeDate = usDateAfter(new Date(createdAt), storageErrorTimes.purgeAfterDays)
  const text = statusText(status)
  switch (status) {
    case SubmissionStatus.IngestionSuccess:
      return (
        <Verdict detail={warningRowCount ? texts.warningRows(warningRowCount) : null}>
          <Label tone="good" icon={<IconCircleCheck {...icon} />} text={text} />
        </Verdict>
      )
    case SubmissionStatus.ValidationFailed:
      return (
        <Verdict detail={errorRowCount === null ? null : texts.errorRows(errorRowCount)}>
          <Label tone="bad" icon={<IconCircleX {...icon} />} text={text} />
        </Verdict>
      )
    case SubmissionStatus.IngestionFailed:
      return (
        <Label
          tone="warn"
          icon={<IconAlertTriangle {...icon} />}
          text={text}
          hint={texts.storageErrorHint(purgeDate)}
        />
      )
    case SubmissionStatus.IngestionFileNotFound:
      return (
        <Label
          tone="gone"
          icon={<IconFileOff {...icon} />}
          text={text}
          hint={texts.fileRemovedHint(purgeDate)}
        />
      )
    default:
      return <Label tone="busy" icon={<Loader size={15} color="gray.6" aria-hidden />} text={text} />
  }
}

/** A verdict with its size below. */
const Verdict = ({ detail, children }: { detail: string | null; children: ReactNode }) => (
  <span className={classes.verdict}>
    {children}
    {detail !== null && <span className={classes.detail}>{detail}</span>}
  </span>
)

const icon = { size: 18, stroke: 1.9, 'aria-hidden': true } as const

type LabelProps = {
  tone: 'good' | 'bad' | 'warn' | 'gone' | 'busy'
  icon: ReactNode
  text: string
  hint?: string
}

function Label({ tone, icon: picture, text, hint }: LabelProps) {
  const label = (
    <span
      className={classes.label}
      data-tone={tone}
      data-hint={hint !== undefined || undefined}
      tabIndex={hint === undefined ? undefined : 0}
    >
      <span className={classes.icon}>{picture}</span>
      {text}
    </span>
  )
  if (hint === undefined) return label
  return (
    <Tooltip label={hint} w={300} events={{ hover: true, focus: true, touch: true }}>
      {label}
    </Tooltip>
  )
}

/** Announces changed statuses to screen readers. Files that are new in the list are not announced. */
export function StatusAnnouncer({ rows }: { rows: SubmissionItem[] | null }) {
  const announced = useRef<ReadonlyMap<number, string>>(new Map())
  const [text, setText] = useState('')
  useEffect(() => {
    if (rows === null) return
    const changed = rows.filter(
      ({ id, status }) => (announced.current.get(id) ?? statusText(status)) !== statusText(status),
    )
    announced.current = new Map(rows.map(({ id, status }) => [id, statusText(status)]))
    if (changed.length > 0)
      setText(changed.map(({ fileName, status }) => `${fileName}: ${statusText(status)}`).join(', '))
  }, [rows])
  return <VisuallyHidden role="status">{text}</VisuallyHidden>
}

/** The name of a status; all unfinished ones share a name. See docs/BEHAVIOUR.md#history. */
function statusText(status: SubmissionStatus): string {
  switch (status) {
    case SubmissionStatus.IngestionSuccess:
      return texts.success
    case SubmissionStatus.ValidationFailed:
      return texts.validationError
    case SubmissionStatus.IngestionFailed:
      return texts.storageError
    case SubmissionStatus.IngestionFileNotFound:
      return texts.fileRemoved
    default:
      return texts.inProgress
  }
}
