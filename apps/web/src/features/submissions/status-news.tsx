import { VisuallyHidden } from '@mantine/core'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { useEffect, useRef, useState } from 'react'
import { statusText } from './status-text.ts'

/**
 * Tells who does not see the list what has become of a file in it. Files that were not in it before are no
 * news.
 */
export function StatusNews({ rows }: { rows: SubmissionItem[] | null }) {
  const told = useRef<ReadonlyMap<number, string>>(new Map())
  const [news, setNews] = useState('')
  useEffect(() => {
    if (rows === null) return
    const changed = rows.filter(
      ({ id, status }) => (told.current.get(id) ?? statusText(status)) !== statusText(status),
    )
    told.current = new Map(rows.map(({ id, status }) => [id, statusText(status)]))
    if (changed.length > 0)
      setNews(changed.map(({ fileName, status }) => `${fileName}: ${statusText(status)}`).join(', '))
  }, [rows])
  return <VisuallyHidden role="status">{news}</VisuallyHidden>
}
