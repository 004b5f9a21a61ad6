import { Loader, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconFileOff } from '@tabler/icons-react'
import { storageErrorTimes } from '@veridict/contract/limits'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { ReactNode } from 'react'
import { usDateAfter } from '#ui/text/format.ts'
import classes from './status-label.module.css'
import { statusText } from './status-text.ts'

export type StatusLabelProps = { status: SubmissionStatus; createdAt: string }

/** A status in the history. The two that end in deletion have a tooltip. See docs/BEHAVIOUR.md#history. */
export function StatusLabel({ status, createdAt }: StatusLabelProps) {
  const purgeDate = usDateAfter(new Date(createdAt), storageErrorTimes.purgeAfterDays)
  const text = statusText(status)
  switch (status) {
    case SubmissionStatus.IngestionSuccess:
      return <Label tone="good" icon={<IconCircleCheck {...icon} />} text={text} />
    case SubmissionStatus.ValidationFailed:
      return <Label tone="bad" icon={<IconCircleX {...icon} />} text={text} />
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
