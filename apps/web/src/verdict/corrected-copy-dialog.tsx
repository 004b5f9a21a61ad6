import { Button, Checkbox, Group } from '@mantine/core'
import { correctedMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { useState } from 'react'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { useReturnFocus } from '#ui/forms/use-return-focus.ts'
import { TallModal } from '#ui/layout/tall-modal.tsx'
import { BeforeAfter } from './before-after.tsx'
import { CausePlace } from './cause-place.tsx'
import type { Correction } from './correction.ts'
import classes from './corrected-copy-dialog.module.css'

/** What the dialog of every corrected copy needs, whatever makes the copy. */
export type CorrectedCopyChoice = {
  causes: Cause[]
  cellErrorCount: number
  /** The cause that is ticked when the dialog opens; null ticks none. */
  firstTicked: string | null
  onClose: () => void
}

type CorrectedCopyDialogProps = CorrectedCopyChoice & {
  /** What the clerk gets, and what stays as it is. */
  lead: string
  /** The name of the button that makes the copy. */
  action: string
  /** Whether the copy is being made. */
  isPending: boolean
  /** Why the copy was not made; null where nothing failed. */
  failure: string | null
  onMake: (correction: Correction) => void
}

/** Chooses the causes whose suggestions are applied to a copy of the file. */
export function CorrectedCopyDialog({
  causes,
  cellErrorCount,
  firstTicked,
  lead,
  action,
  isPending,
  failure,
  onClose,
  onMake,
}: CorrectedCopyDialogProps) {
  useReturnFocus()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    new Set(firstTicked === null ? [] : [firstTicked]),
  )
  const button = useFocusAfterWait(isPending)
  const possible = causes.filter(({ suggestions }) => suggestions > 0)
  const others = causes.filter(({ suggestions }) => suggestions === 0)
  const chosen = possible.filter(({ id }) => ticked.has(id))
  const changed = chosen.reduce((sum, { suggestions }) => sum + suggestions, 0)
  const remaining = cellErrorCount - changed
  const foot = (
    <div className={classes.foot}>
      <p role="status">{chosen.length === 0 ? texts.nothingTicked : texts.outcome(changed, remaining)}</p>
      {failure !== null && (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
      <Group justify="flex-end" gap={10}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          ref={button}
          disabled={chosen.length === 0}
          loading={isPending}
          onClick={() => onMake({ causes: chosen, changed, remaining })}
        >
          {action}
        </Button>
      </Group>
    </div>
  )
  return (
    <TallModal isOpen onClose={onClose} title={texts.title} width={760} foot={foot}>
      <div className={classes.choices}>
        <p className={classes.lead}>{lead}</p>
        {possible.length > 1 && (
          <Checkbox
            label={texts.tickAll}
            className={classes.all}
            checked={chosen.length === possible.length}
            indeterminate={chosen.length > 0 && chosen.length < possible.length}
            onChange={({ currentTarget }) =>
              setTicked(new Set(currentTarget.checked ? possible.map(({ id }) => id) : []))
            }
          />
        )}
        <ul className={classes.list}>
          {possible.map((cause) => (
            <Choice
              key={cause.id}
              cause={cause}
              isTicked={ticked.has(cause.id)}
              onTick={(isTicked) =>
                setTicked(
                  new Set(isTicked ? [...ticked, cause.id] : [...ticked].filter((id) => id !== cause.id)),
                )
              }
            />
          ))}
        </ul>
        {others.length > 0 && <NotPossible causes={others} />}
      </div>
    </TallModal>
  )
}

type ChoiceProps = { cause: Cause; isTicked: boolean; onTick: (isTicked: boolean) => void }

/** One cause to tick, with its first changes. */
function Choice({ cause, isTicked, onTick }: ChoiceProps) {
  const { message, cells, suggestions, passed, examples } = cause
  const untouched = cells - suggestions
  return (
    <li className={classes.choice} data-ticked={isTicked || undefined}>
      <Checkbox
        checked={isTicked}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
        classNames={{ root: classes.tick, body: classes.tickBody, labelWrapper: classes.tickLabel }}
        label={
          <span className={classes.name}>
            <CausePlace cause={cause} />
            <span className={classes.count}>{texts.cells(suggestions)}</span>
            <span className={classes.message}>{message}</span>
          </span>
        }
      />
      <ul className={classes.examples}>
        {examples
          .filter(({ suggestion }) => suggestion !== null)
          .map((example, index) => (
            <li key={index}>
              <BeforeAfter {...example} />
            </li>
          ))}
      </ul>
      {untouched > 0 && <p className={classes.stay}>{texts.someStay(untouched)}</p>}
      {passed !== undefined && <p className={classes.stay}>{texts.passedToo(passed)}</p>}
    </li>
  )
}

/** The causes without any suggestion, and why they have none. */
function NotPossible({ causes }: { causes: Cause[] }) {
  return (
    <section className={classes.others} aria-label={texts.notPossible}>
      <h3>{texts.notPossible}</h3>
      <p>{texts.notPossibleWhy}</p>
      <ul>
        {causes.map((cause) => (
          <li key={cause.id}>
            <CausePlace cause={cause} />
            <span className={classes.count}>{texts.cells(cause.cells)}</span>
            <span className={classes.message}>
              {cause.message} {cause.advice}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
