import { VisuallyHidden } from '@mantine/core'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { useEffect, useRef, useState } from 'react'
import { statusText } from './status-text.ts'

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
