import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { type Cause, shownExamples } from '@veridict/contract/model/cause'
import { writeCount } from '@veridict/contract/notation/count'
import { useId } from 'react'
import { BoldNames } from '#ui/text/bold-names.tsx'
import { BeforeAfter } from './before-after.tsx'
import { CausePlace } from './cause-place.tsx'
import classes from './cause-list.module.css'

/** What a cause offers; without a handler its button is missing. */
export type CauseActions = {
  /** The id of the cause whose rows are shown. */
  chosen?: string | null
  /** Called with null to show all rows again. */
  onShowRows?: (id: string | null) => void
  /** For causes with suggestions. */
  onCorrect?: (id: string) => void
}

const small = { size: 'sm', h: 36, px: 14, fz: 14 } as const

type CauseLineProps = CauseActions & { cause: Cause; cellErrorCount: number }

/** One cause: where, what, how to correct it, how many, and what to do about it here. */
export function CauseLine({ cause, cellErrorCount, chosen, onShowRows, onCorrect }: CauseLineProps) {
  const messageId = useId()
  const isChosen = chosen === cause.id
  const examples = shownExamples(cause)
  return (
    <li className={classes.line} data-chosen={isChosen || undefined} data-cause={cause.kind}>
      <CausePlace cause={cause} />
      <div className={classes.what}>
        <p id={messageId} className={classes.message}>
          <CauseText cause={cause} />
        </p>
        {examples.length > 0 && (
          <p className={classes.examples}>
            {cause.columnPosition === null && (
              <span className={classes.row}>{submissionMessages.rowLabel(cause.firstRow)}:</span>
            )}
            {examples.map((example, index) => (
              <BeforeAfter key={index} {...example} />
            ))}
          </p>
        )}
      </div>
      <p className={classes.advice}>{cause.advice}</p>
      <CauseSize cause={cause} cellErrorCount={cellErrorCount} />
      <div className={classes.actions}>
        {onShowRows && (
          <Button
            variant={isChosen ? 'light' : 'default'}
            {...small}
            aria-pressed={isChosen}
            aria-describedby={messageId}
            leftSection={isChosen ? <IconCheck size={15} stroke={2.2} aria-hidden /> : undefined}
            onClick={() => onShowRows(isChosen ? null : cause.id)}
          >
            {isChosen ? texts.rowsShown : texts.showRows}
          </Button>
        )}
        {onCorrect && cause.suggestions > 0 && (
          <Button
            variant="default"
            {...small}
            aria-describedby={messageId}
            aria-haspopup="dialog"
            onClick={() => onCorrect(cause.id)}
          >
            {texts.correct}
          </Button>
        )}
      </div>
    </li>
  )
}

/** What is wrong with the cells of a cause. */
export const CauseText = ({ cause: { kind, message } }: { cause: Cause }) =>
  kind === 'rule' ? <BoldNames text={message} /> : message

/** How many cells, as a number and as a bar: its share of all errors. */
function CauseSize({ cause, cellErrorCount }: { cause: Cause; cellErrorCount: number }) {
  const { cells, suggestions } = cause
  const share = (100 * cells) / cellErrorCount
  const percent = Math.floor(share)
  return (
    <div className={classes.size}>
      <VisuallyHidden>{texts.causeSize(cells, percent)}</VisuallyHidden>
      <span className={classes.figures} aria-hidden="true">
        <b>{writeCount(cells)}</b>
        <span>{texts.share(percent)}</span>
      </span>
      <span className={classes.bar} aria-hidden="true">
        <span style={{ width: `${share}%` }} />
      </span>
      {suggestions > 0 && suggestions < cells && (
        <span className={classes.partly}>{texts.withSuggestion(suggestions, cells)}</span>
      )}
    </div>
  )
}
