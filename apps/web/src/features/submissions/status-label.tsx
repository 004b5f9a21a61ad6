import { Loader, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconFileOff } from '@tabler/icons-react'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { storageErrorTimes } from '@veridict/contract/limits'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import {
  submissionMessages as texts,
  submissionStatusTexts as statusTexts,
} from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { paths } from '#app/paths.ts'
import { usDateAfter } from '#ui/text/format.ts'
import classes from './status-label.module.css'

export type StatusLabelProps = Pick<
  SubmissionItem,
  'status' | 'createdAt' | 'errorRowCount' | 'warningRowCount'
>

/** A status in the history. The two that end in deletion have a tooltip. See docs/BEHAVIOUR.md#history. */
export function StatusLabel(row: StatusLabelProps) {
  const { detail, ...look } = lookOf(row)
  const label = <Label {...look} text={statusTexts[row.status]} />
  if (!detail) return label
  return (
    <span className={classes.verdict}>
      {label}
      <span className={classes.detail}>{detail}</span>
    </span>
  )
}

/** `detail`: how many rows the verdict is about. */
type Look = Omit<LabelProps, 'text'> & { detail?: string | false }

function lookOf({ status, createdAt, errorRowCount, warningRowCount }: StatusLabelProps): Look {
  const purgeDate = usDateAfter(new Date(createdAt), storageErrorTimes.purgeAfterDays)
  switch (status) {
    case SubmissionStatus.IngestionSuccess: {
      const detail = Boolean(warningRowCount) && texts.warningRows(warningRowCount!)
      return { tone: 'good', icon: <IconCircleCheck {...icon} />, detail }
    }
    case SubmissionStatus.ValidationFailed: {
      const detail = errorRowCount !== null && texts.errorRows(errorRowCount)
      return { tone: 'bad', icon: <IconCircleX {...icon} />, detail }
    }
    case SubmissionStatus.IngestionFailed:
      return { tone: 'warn', icon: <IconAlertTriangle {...icon} />, hint: texts.storageErrorHint(purgeDate) }
    case SubmissionStatus.IngestionFileNotFound:
      return { tone: 'gone', icon: <IconFileOff {...icon} />, hint: texts.fileRemovedHint(purgeDate) }
    default:
      return { tone: 'busy', icon: <Loader size={15} color="gray.6" aria-hidden /> }
  }
}

/** Where a verdict leads: to the errors or warnings, and to the receipt. */
export function verdictLinks({ id, status, warningRowCount }: SubmissionItem) {
  const receipt = { to: paths.receipt(id), text: receiptMessages.receipt }
  const report = (text: string) => ({ to: paths.fileError(id), text })
  if (status === SubmissionStatus.ValidationFailed) return [report(texts.viewErrors)]
  if (status !== SubmissionStatus.IngestionSuccess) return []
  return warningRowCount ? [report(texts.viewWarnings), receipt] : [receipt]
}

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
      ({ id, status }) => (announced.current.get(id) ?? statusTexts[status]) !== statusTexts[status],
    )
    announced.current = new Map(rows.map(({ id, status }) => [id, statusTexts[status]]))
    if (changed.length > 0)
      setText(changed.map(({ fileName, status }) => `${fileName}: ${statusTexts[status]}`).join(', '))
  }, [rows])
  return <VisuallyHidden role="status">{text}</VisuallyHidden>
}
