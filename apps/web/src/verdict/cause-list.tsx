import { Button } from '@mantine/core'
import { correctedMessages, reportMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { firstCauses, maxFirstCauses } from '@veridict/contract/model/first-causes'
import { useId, useState } from 'react'
import { CauseLine, type CauseActions } from './cause-line.tsx'
import classes from './cause-list.module.css'
import { useIsPrinting } from './use-is-printing.ts'

export type CauseListProps = CauseActions & {
  /** Most cells first; at most those that the screen shows. */
  causes: Cause[]
  /** All causes of the file. */
  causesCount: number
  cellErrorCount: number
  /** For all causes with suggestions. */
  onCorrectMany?: () => void
}

/** Up to this many other causes are shown without a button that hides them. */
const fewOthers = 2

/** What is wrong with a file, by cause: first those that most of the errors come from. */
export function CauseList({
  causes,
  causesCount,
  cellErrorCount,
  onCorrectMany,
  ...actions
}: CauseListProps) {
  const titleId = useId()
  const first = firstCauses(causes, cellErrorCount)
  const open = causes.slice(0, first?.count ?? maxFirstCauses)
  const others = causes.slice(open.length)
  const suggestions = causes.reduce((sum, cause) => sum + cause.suggestions, 0)
  const lines = { cellErrorCount, ...actions }
  return (
    <section className={classes.causes} aria-labelledby={titleId}>
      <div className={classes.lead}>
        <h2 id={titleId}>
          {first === null ? texts.manyCauses(causesCount) : texts.fixFirst(first.count, first.percent)}
        </h2>
        {suggestions > 0 && (
          <p>
            {causesCount > causes.length
              ? texts.withSuggestionAmong(suggestions, cellErrorCount, causes.length)
              : texts.withSuggestion(suggestions, cellErrorCount)}
            {onCorrectMany && (
              <Button variant="light" size="sm" aria-haspopup="dialog" onClick={onCorrectMany}>
                {correctedMessages.copy}
              </Button>
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

type CauseLinesProps = CauseActions & { causes: Cause[]; cellErrorCount: number; id?: string }

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
        <Button
          variant="subtle"
          size="sm"
          className={classes.more}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setIsWanted(!isWanted)}
        >
          {isOpen ? texts.hideOtherCauses : texts.showOtherCauses(causes.length)}
        </Button>
      )}
      {isOpen && <CauseLines {...props} id={listId} />}
    </div>
  )
}
