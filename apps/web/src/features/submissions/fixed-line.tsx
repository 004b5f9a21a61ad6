import { useQuery } from '@tanstack/react-query'
import { readSubmission } from '@veridict/contract/api/submissions'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { queryOf } from '#lib/http/query-of.ts'
import { formatDay } from '#ui/text/format.ts'
import classes from './fixed-line.module.css'

/** That an accepted file corrects all errors of its previous upload; nothing if that one had none. */
export function FixedLine({ id }: { id: number }) {
  const { data } = useQuery(queryOf(readSubmission, { params: { id } }))
  if (!data?.previous) return null
  const { fixed, createdAt } = data.previous
  return <p className={classes.fixed}>{submissionMessages.allFixed(fixed, formatDay(new Date(createdAt)))}</p>
}
