import { CloseButton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { correctionTexts } from '@veridict/contract/messages/error-files'
import { correctedMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { type ReactNode, useEffect, useRef } from 'react'
import { BeforeAfter, isChange } from './before-after.tsx'
import { correctedCells, type Correction, passedWrong } from './correction.ts'
import classes from './corrected-note.module.css'

type CorrectedNoteProps = {
  correction: Correction
  title: string
  /** What to do next, after the sentences that say it. */
  next?: ReactNode
  onClose: () => void
}

/** What was changed in the copy that was just downloaded, and what remains: a CSV file cannot say it. */
export function CorrectedNote({ correction, title, next, onClose }: CorrectedNoteProps) {
  const { causes, answers, changed, remaining, removed = [] } = correction
  const note = useRef<HTMLDivElement>(null)
  // The dialog may have been opened from a cause further down.
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'center' })
    const nextStep = note.current?.querySelector('a') ?? note.current
    nextStep?.focus({ preventScroll: true })
  }, [correction])
  return (
    <div ref={note} role="status" tabIndex={-1} className={classes.note}>
      <IconCircleCheck size={26} stroke={1.7} aria-hidden />
      <div className={classes.words}>
        <strong>{title}</strong>
        <p>{texts.changed(changed)}</p>
        <ul>
          {causes.map((cause) => (
            <li key={cause.id}>
              {cause.label !== null && <b>{cause.label}: </b>}
              {correctedCells(cause, answers) === 0
                ? correctionTexts.structure(cause.message)
                : texts.cells(correctedCells(cause, answers))}{' '}
              <FirstChange cause={cause} answers={answers} />
            </li>
          ))}
          {removed.slice(0, MOST_LEFT_OUT).map((part, index) => (
            <li key={index}>{correctionTexts.removed(part)}</li>
          ))}
          {passedWrong(causes).map(([label, count]) => (
            <li key={label}>{correctionTexts.passedWrong(label, count)}</li>
          ))}
        </ul>
        <p>{remainsText(remaining)}</p>
        {next}
      </div>
      <CloseButton aria-label={texts.dismiss} onClick={onClose} />
    </div>
  )
}

/** Rows and columns that a copy leaves out, and that are listed. */
const MOST_LEFT_OUT = 10

function remainsText(remaining: number | null): string {
  if (remaining === null) return texts.remainsUnknown
  return remaining > 0 ? texts.remains(remaining) : texts.nothingRemains
}

function FirstChange({ cause, answers }: { cause: Cause } & Pick<Correction, 'answers'>) {
  const answer = cause.choices?.find(({ value }) => value === answers.get(cause.id)?.choice)
  const first = (answer?.examples ?? cause.examples).find(isChange)
  return first && <BeforeAfter value={first.value} suggestion={first.suggestion} />
}
