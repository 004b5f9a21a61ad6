import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react'
import { pageSizes } from '@veridict/contract/limits'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { counted } from '@veridict/contract/notation/count'
import { type ReactNode, useId, useState } from 'react'
import { pageOf, Pager } from '#ui/tables/pager.tsx'
import { CauseText } from './cause-list.tsx'
import { CausePlace } from './before-after.tsx'
import { ErrorTable, type ShownRow } from './error-table.tsx'
import classes from './warning-part.module.css'

export type WarningPartProps = {
  warningCount: number | null
  warningRowCount: number | null
  /** Those of warnings. */
  causes: readonly Cause[]
  /** The first rows of a cause, as `WarningRows`. */
  rowsOf: (cause: Cause) => ReactNode
}

/** Warnings do not stop a file, so they stand quietly below everything that does. */
export function WarningPart({ warningCount, warningRowCount, causes, rowsOf }: WarningPartProps) {
  const titleId = useId()
  if (!warningCount || !warningRowCount) return null
  return (
    <section className={classes.warnings} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId}>
          <IconAlertTriangle size={20} stroke={1.8} aria-hidden />
          {texts.warnings}
        </h2>
        <p>
          {causes.length === 0 ? texts.warningsDeleted : texts.warningLead(warningCount, warningRowCount)}
        </p>
      </div>
      {causes.length > 0 && (
        <ul className={classes.list}>
          {causes.map((cause) => (
            <Warning key={cause.id} cause={cause} isAlone={causes.length === 1} rowsOf={rowsOf} />
          ))}
        </ul>
      )}
    </section>
  )
}

type WarningProps = Pick<WarningPartProps, 'rowsOf'> & { cause: Cause; isAlone: boolean }

/** A rule that warns, with its rows on request. */
function Warning({ cause, isAlone, rowsOf }: WarningProps) {
  const [isOpen, setIsOpen] = useState(isAlone)
  const panelId = useId()
  const messageId = useId()
  return (
    <li className={classes.item} data-cause={cause.kind}>
      <div className={classes.line}>
        <CausePlace cause={cause} />
        <div className={classes.what}>
          <p id={messageId}>
            <CauseText cause={cause} />
          </p>
          <p className={classes.advice}>{cause.advice}</p>
        </div>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={panelId}
          aria-describedby={messageId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {counted(cause.rows, 'row')}
          <IconChevronRight size={17} stroke={2} className={classes.chevron} aria-hidden />
        </button>
      </div>
      <div id={panelId}>{isOpen && <div className={classes.panel}>{rowsOf(cause)}</div>}</div>
    </li>
  )
}

type WarningRowsProps = { cause: Cause; rows: readonly ShownRow[] }

/** The first rows of a rule that warns, in pages, without the sentences that stand at the rule. */
export function WarningRows({ cause, rows }: WarningRowsProps) {
  const [page, setPage] = useState(1)
  const { data, ...total } = pageOf(rows, page, pageSizes.fileErrors)
  const sentences = cause.advice.split(/(?<=[.!?]) /)
  return (
    <>
      {rows.length < cause.rows && (
        <p className={classes.some}>{texts.rowsOfCause(rows.length, cause.rows)}</p>
      )}
      <ErrorTable
        areWarnings
        label={texts.warningsOf(cause.rule ?? '')}
        rows={data.map((row) => ({
          ...row,
          columnValidationErrors: row.columnValidationErrors.map((found) => ({
            ...found,
            error: sentences.reduce((error, sentence) => error.replace(sentence, '').trim(), found.error),
          })),
        }))}
      />
      <div className={classes.pages}>
        <Pager page={page} pageSize={pageSizes.fileErrors} {...total} onPage={setPage} isQuiet />
      </div>
    </>
  )
}
