import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus, unsettledStatuses } from '@veridict/contract/model/submission-status'
import classes from './status-filter.module.css'

/** The choices; the statuses before a verdict are one of them. `name` stands in the address. */
const groups = [
  { name: 'in-progress', label: texts.inProgress, statuses: unsettledStatuses },
  { name: 'validation-error', label: texts.validationError, statuses: [SubmissionStatus.ValidationFailed] },
  { name: 'success', label: texts.success, statuses: [SubmissionStatus.IngestionSuccess] },
  { name: 'storage-error', label: texts.storageError, statuses: [SubmissionStatus.IngestionFailed] },
  { name: 'file-removed', label: texts.fileRemoved, statuses: [SubmissionStatus.IngestionFileNotFound] },
] as const

/** The statuses that the names in the address stand for; unknown names are ignored. */
export const statusesOf = (names: readonly string[]): SubmissionStatus[] =>
  groups.filter(({ name }) => names.includes(name)).flatMap(({ statuses }) => statuses)

export type StatusFilterProps = { chosen: readonly string[]; onChange: (chosen: string[]) => void }

/** Shows files of some statuses only; with none chosen, all. */
export function StatusFilter({ chosen, onChange }: StatusFilterProps) {
  const known = groups.map(({ name }) => name).filter((name) => chosen.includes(name))
  const toggle = (name: (typeof known)[number]) =>
    onChange(known.includes(name) ? known.filter((other) => other !== name) : [...known, name])
  return (
    <div role="group" aria-label={texts.statusFilter} className={classes.filter}>
      {groups.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          className={classes.choice}
          aria-pressed={known.includes(name)}
          onClick={() => toggle(name)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
