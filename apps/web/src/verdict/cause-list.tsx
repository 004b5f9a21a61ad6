import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { correctedMessages, reportMessages as texts } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { type Cause, correctableOf, shownExamples } from '@veridict/contract/model/cause'
import { firstCauses, maxFirstCauses } from '@veridict/contract/model/first-causes'
import { writeCount } from '@veridict/contract/notation/count'
import { useId, useState } from 'react'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { BoldNames } from '#ui/text/cell-value.tsx'
import { BeforeAfter, CausePlace } from './before-after.tsx'
import classes from './cause-list.module.css'
import { useIsPrinting } from './use-is-printing.ts'

export type CauseListProps = CauseActions & {
  /** Most cells first; at most those that the screen shows. */
  causes: Cause[]
  /** All causes of the file. */
  causesCount: number
  cellErrorCount: number
}

/** Up to this many other causes are shown without a button that hides them. */
const fewOthers = 2

/** What is wrong with a file, by cause: first those that most of the errors come from. */
export function CauseList({ causes, causesCount, cellErrorCount, ...actions }: CauseListProps) {
  const { onCorrect } = actions
  const titleId = useId()
  const first = firstCauses(causes, cellErrorCount)
  const open = causes.slice(0, first?.count ?? maxFirstCauses)
  const others = causes.slice(open.length)
  const sure = causes.filter((cause) => correctableOf(cause) === 'yes')
  const suggestions = sure.reduce((sum, cause) => sum + cause.suggestions, 0)
  const questions = causes.filter((cause) => correctableOf(cause) === 'choice').length
  const lines = { cellErrorCount, percents: percentsOf(causes, cellErrorCount), ...actions }
  return (
    <section className={classes.causes} aria-labelledby={titleId}>
      <div className={classes.lead}>
        <h2 id={titleId}>
          {first === null ? texts.manyCauses(causesCount) : texts.fixFirst(first.count, first.percent)}
        </h2>
        {sure.length + questions > 0 && (
          <p>
            {suggestions > 0 && texts.withSuggestion(suggestions, cellErrorCount)}
            {questions > 0 && <span>{texts.questions(questions)}</span>}
            {onCorrect && (
              <ActionButton
                label={correctedMessages.copy}
                size="sm"
                aria-haspopup="dialog"
                onClick={() => onCorrect(null)}
              />
            )}
          </p>
        )}
      </div>
      <CauseLines causes={open} {...lines} />
      {others.length > 0 && <OtherCauses causes={others} {...lines} />}
      {causesCount > causes.length && (
        <p className={classes.note}>{texts.largestCausesOnly(causes.length, causesCount)}</p>
      )}
    </section>
  )
}

/** Whole shares that add up to that of all causes together, by the id of the cause. */
function percentsOf(causes: readonly Cause[], cellErrorCount: number): ReadonlyMap<string, number> {
  let cells = 0
  const percentUpTo = () => Math.floor((100 * cells) / cellErrorCount)
  return new Map(
    causes.map((cause) => {
      const before = percentUpTo()
      cells += cause.cells
      return [cause.id, percentUpTo() - before]
    }),
  )
}

type CauseLinesProps = CauseActions & Shares & { causes: Cause[]; id?: string }
type Shares = { cellErrorCount: number; percents: ReadonlyMap<string, number> }

function CauseLines({ causes, id, ...line }: CauseLinesProps) {
  return (
    <ol id={id} className={classes.list}>
      {causes.map((cause) => (
        <CauseLine key={cause.id} cause={cause} {...line} />
      ))}
    </ol>
  )
}

/** Open if they are few, if the rows of one of them are shown, and on paper. */
function OtherCauses(props: CauseLinesProps) {
  const { causes, chosen } = props
  const [isWanted, setIsWanted] = useState(false)
  const listId = useId()
  const mustShow = causes.length <= fewOthers || causes.some(({ id }) => id === chosen)
  const isOpen = useIsPrinting() || isWanted || mustShow
  return (
    <div className={classes.others}>
      {mustShow ? (
        <p className={classes.note}>{texts.otherCauses(causes.length)}</p>
      ) : (
        <ActionButton
          label={isOpen ? texts.hideOtherCauses : texts.showOtherCauses(causes.length)}
          variant="subtle"
          size="sm"
          className={classes.more}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setIsWanted(!isWanted)}
        />
      )}
      {isOpen && <CauseLines {...props} id={listId} />}
    </div>
  )
}

/** What causes offer. */
type CauseActions = {
  /** The id of the cause whose rows are shown. */
  chosen: string | null
  /** Called with null to show all rows again. */
  onShowRows: (id: string | null) => void
  /** For causes that a copy can correct; called with null for all of them. Without it no copy is offered. */
  onCorrect?: (id: string | null) => void
}

const small = { size: 'sm', h: 36, px: 14, fz: 14 } as const

type CauseLineProps = CauseActions & Shares & { cause: Cause }

/** One cause: where, what, how to correct it, how many, and what to do about it here. */
function CauseLine({ cause, chosen, onShowRows, onCorrect, ...shares }: CauseLineProps) {
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
      <CauseSize cause={cause} {...shares} />
      <div className={classes.actions}>
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
        {onCorrect && correctableOf(cause) !== 'no' && (
          <ActionButton
            label={correctableOf(cause) === 'choice' ? texts.answer : texts.correct}
            variant="default"
            {...small}
            aria-describedby={messageId}
            aria-haspopup="dialog"
            onClick={() => onCorrect(cause.id)}
          />
        )}
      </div>
    </li>
  )
}

/** What is wrong with the cells of a cause. */
export const CauseText = ({ cause: { kind, message } }: { cause: Cause }) =>
  kind === 'rule' ? <BoldNames text={message} /> : message

/** How many cells, as a number and as a bar: its share of all errors. */
function CauseSize({ cause, cellErrorCount, percents }: Shares & { cause: Cause }) {
  const { id, cells, suggestions } = cause
  const share = (100 * cells) / cellErrorCount
  const percent = percents.get(id) ?? 0
  if (cells === 0) return <span className={classes.size} />
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
