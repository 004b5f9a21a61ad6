import { Button, Checkbox } from '@mantine/core'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { useState } from 'react'
import classes from './draft-list.module.css'
import { DraftRow } from './draft-row.tsx'
import type { Sample } from './use-sample.ts'

/** How many rows are shown at first, and added by each click: a browser draws them without a pause. */
const ROWS_AT_ONCE = 250

/** The proposed fields, to be corrected before they are saved. */
export function DraftList({ sample }: { sample: Sample }) {
  const { proposal, drafts, faults } = sample
  const [shown, setShown] = useState(ROWS_AT_ONCE)
  if (proposal === null) return null
  const included = drafts.filter(({ isIncluded }) => isIncluded).length
  // Faults are never hidden.
  const visible = faults.size > 0 ? drafts : drafts.slice(0, shown)
  return (
    <section className={classes.section} aria-label="Proposed fields">
      <header className={classes.head}>
        <Checkbox
          aria-label="Include all columns"
          checked={included === drafts.length}
          indeterminate={included > 0 && included < drafts.length}
          onChange={(event) => sample.includeAll(event.currentTarget.checked)}
        />
        <p>
          <b>{countOf(included, drafts.length)}</b> proposed from {rowsOf(proposal.recordsCount)}
          {sample.file?.name}
        </p>
      </header>
      {proposal.notes.length > 0 && (
        <ul className={classes.notes} aria-label="Notes">
          {proposal.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {faults.size > 0 && (
        <p className={classes.faults} role="alert">
          {faults.size === 1 ? 'One field needs' : `${writeCount(faults.size)} fields need`} to be put right
          before the data dictionary can be saved.
        </p>
      )}
      <ul className={classes.rows} aria-label="Fields">
        {visible.map((draft) => (
          <DraftRow
            key={draft.letter}
            draft={draft}
            faults={faults.get(draft.letter)}
            onChange={sample.change}
            onChangeValues={sample.changeValues}
          />
        ))}
      </ul>
      {visible.length < drafts.length && (
        <div className={classes.more}>
          <Button variant="default" size="sm" onClick={() => setShown(shown + ROWS_AT_ONCE)}>
            Show more of {writeCount(drafts.length)} fields
          </Button>
        </div>
      )}
    </section>
  )
}

const countOf = (included: number, all: number): string =>
  included === all ? counted(all, 'field') : `${writeCount(included)} of ${writeCount(all)} fields`

/** null where the file describes rows and has none. */
const rowsOf = (count: number | null): string =>
  count === null ? '' : count === 1 ? 'one row of ' : `${writeCount(count)} rows of `
