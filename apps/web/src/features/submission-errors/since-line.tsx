import { IconCheck, IconPlus } from '@tabler/icons-react'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { useState } from 'react'
import { paths } from '#app/paths.ts'
import { TextButton, TextLink } from '#ui/forms/action-button.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { formatDay } from '#ui/text/format.ts'
import classes from './since-line.module.css'

type Previous = NonNullable<ErrorReport['previous']>

/** What changed since the previous upload of this file, as numbers of cells; by cause on request. */
export function SinceLine({ previous }: { previous: Previous }) {
  const [isOpen, setIsOpen] = useState(false)
  const { id, fileName, createdAt, causes } = previous
  return (
    <>
      <p className={classes.since}>
        <span>
          {texts.since}{' '}
          <TextLink label={<BreakableName name={fileName} />} to={paths.fileError(id)} fw={600} />{' '}
          {texts.sinceDay(formatDay(new Date(createdAt)))}
        </span>
        <Changes {...previous} />
        {causes.length > 1 && (
          <TextButton
            label={texts.byCause}
            className={classes.toggle}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          />
        )}
      </p>
      {isOpen && (
        <ul className={classes.causes}>
          {changedFirst(causes).map((cause) => (
            <li key={cause.id}>
              <span className={classes.cause}>
                {cause.label !== null && <b>{cause.label}: </b>}
                {cause.message}
              </span>
              <Changes {...cause} isShort />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What was fixed and what is new is why the list is opened; both may be small beside what remains. */
const changedFirst = (causes: Previous['causes']) =>
  causes.toSorted((one, other) => other.fixed + other.new - (one.fixed + one.new))

type ChangesProps = Pick<Previous, 'fixed' | 'remaining' | 'new'> & {
  /** Leaves out what is zero. @default false */
  isShort?: boolean
}

function Changes({ fixed, remaining, new: added, isShort = false }: ChangesProps) {
  return (
    <span className={classes.changes}>
      {(fixed > 0 || !isShort) && (
        <span data-tone={fixed > 0 ? 'good' : undefined}>
          <IconCheck size={16} stroke={2.2} aria-hidden />
          {texts.fixed(fixed)}
        </span>
      )}
      {(remaining > 0 || !isShort) && <span>{texts.remaining(remaining)}</span>}
      {(added > 0 || !isShort) && (
        <span data-tone={added > 0 ? 'bad' : undefined}>
          {added > 0 && <IconPlus size={15} stroke={2.2} aria-hidden />}
          {texts.isNew(added)}
        </span>
      )}
    </span>
  )
}
