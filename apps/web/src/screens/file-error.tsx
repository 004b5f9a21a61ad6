import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { type Cause, correctableOf, splitCauses } from '@veridict/contract/model/cause'
import { ErrorType } from '@veridict/contract/model/verdict'
import { idOf } from '@veridict/contract/notation/id'
import { useDeferredValue, useRef } from 'react'
import { useParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { useReportCopy } from '#features/file-check/use-report-copy.tsx'
import { errorReportQuery } from '#features/submission-errors/api.ts'
import { DownloadMenu } from '#features/submission-errors/download-menu.tsx'
import { ReportRows, StoredWarnings } from '#features/submission-errors/report-rows.tsx'
import { SinceLine } from '#features/submission-errors/since-line.tsx'
import { useReportAddress } from '#features/submission-errors/use-report-address.ts'
import { isStatus } from '#lib/http/call-failure.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Logo } from '#ui/layout/logo.tsx'
import { FailedPage, Page } from '#ui/layout/page.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { formatTime } from '#ui/text/format.ts'
import { CauseList } from '#verdict/cause-list.tsx'
import { FileProblem } from '#verdict/file-problem.tsx'
import { errorFigures, VerdictPanel } from '#verdict/verdict-panel.tsx'
import classes from './file-error.module.css'
import { NotFound } from './not-found.tsx'

/** Causes and rows with errors, or the problem of the whole file. See docs/BEHAVIOUR.md#file-errors. */
export function FileError() {
  const id = idOf(useParams().id)
  return id === null ? <NotFound /> : <StoredReport id={id} />
}

function StoredReport({ id }: { id: number }) {
  const address = useReportAddress()
  // With a filter, the rows come from other calls.
  const report = useQuery(errorReportQuery(id, address.filter === null ? address.page : 1))
  // In steps, between which the page stays free: a report takes a slow machine longer than a frame.
  const shown = useDeferredValue(report.data)
  if (isStatus(report.error, 404) && report.data === undefined) return <NotFound />
  if (report.isError && report.data === undefined)
    return <FailedPage title="File errors" above={[crumbs.home]} what="The errors" query={report} />
  if (shown === undefined || shown.id !== id) return <LoadingReport />
  if (shown.errorType === null) return <AcceptedFile report={shown} />
  return shown.fileProblem === null ? (
    <RowErrors key={id} {...splitCauses(shown)} isStale={report.isPlaceholderData} address={address} />
  ) : (
    <ProblemOfFile report={shown} problem={shown.fileProblem} />
  )
}

const frameOf = ({ fileName, errorType, ...report }: ErrorReport) => ({
  heading: <BreakableName name={fileName} />,
  lead: texts.head(
    report.dataDictionaryName,
    report.dictionaryVersion,
    formatTime(new Date(report.createdAt)),
    report.uploadedBy,
  ),
  title: errorType === null ? `Warnings in ${fileName}` : `Errors in ${fileName}`,
  above: [crumbs.home],
  crumb: fileName,
})

type ProblemOfFileProps = { report: ErrorReport; problem: NonNullable<ErrorReport['fileProblem']> }

function ProblemOfFile({ report, problem }: ProblemOfFileProps) {
  const isStructure = report.errorType === ErrorType.Columns || report.errorType === ErrorType.ColumnOrder
  const { dialog, note, open } = useReportCopy(report)
  return (
    <Page
      {...frameOf(report)}
      actions={isStructure && <DownloadMenu submissionId={report.id} files={['highlighted']} />}
    >
      <PaperHead report={report} />
      {note}
      <FileProblem
        problem={{ ...problem, columns: report.columns, causes: report.causes }}
        uploadPath={(dictionaryId = report.dataDictionaryId) => paths.correctedUpload(dictionaryId)}
        onCorrect={() => open(null)}
      />
      {dialog}
    </Page>
  )
}

/** What an accepted file has to say: its warnings, if it has any. */
function AcceptedFile({ report }: { report: ErrorReport }) {
  const { id, recordsCount: records, warningRowCount } = report
  const warned = warningRowCount || null
  const figures = [
    { count: records, name: texts.records(records ?? 0) },
    { count: warned, name: texts.rowsWithWarnings(warned ?? 0) },
  ]
  return (
    <Page
      {...frameOf(report)}
      actions={
        <>
          <ActionButton label={receiptMessages.receipt} to={paths.receipt(id)} variant="default" />
          {warned !== null && <DownloadMenu submissionId={id} of="warnings" />}
        </>
      }
    >
      <PaperHead report={report} />
      <VerdictPanel
        isGood
        title={texts.accepted}
        figures={figures}
        note={warned === null && texts.noWarnings}
      />
      <StoredWarnings report={report} causes={report.causes} />
    </Page>
  )
}

type RowErrorsProps = {
  report: ErrorReport
  warnings: Cause[]
  isStale: boolean
  address: ReturnType<typeof useReportAddress>
}

function RowErrors({ report, warnings, isStale, address }: RowErrorsProps) {
  const { id, causes } = report
  const { dialog, note, open } = useReportCopy(report)
  const rows = useRef<HTMLElement>(null)
  const { filter, setFilter } = address
  const showRows = (cause: string | null) => {
    setFilter(cause === null ? null : { cause })
    if (cause === null) return
    rows.current?.focus({ preventScroll: true })
    rows.current?.scrollIntoView({ behavior: isMotionReduced() ? 'auto' : 'smooth' })
  }
  const uploadPath = paths.correctedUpload(report.dataDictionaryId)
  const canCorrect = causes.some((cause) => correctableOf(cause) !== 'no')
  return (
    <Page
      {...frameOf(report)}
      actions={
        <>
          <ActionButton
            label={texts.uploadCorrected}
            to={uploadPath}
            variant={canCorrect ? 'default' : 'filled'}
          />
          <DownloadMenu submissionId={id} />
        </>
      }
    >
      <PaperHead report={report} />
      {note}
      <VerdictPanel
        title={texts.notAccepted}
        figures={errorFigures(report)}
        note={report.previous && <SinceLine previous={report.previous} />}
      >
        {causes.length > 0 && report.cellErrorCount !== null && (
          <CauseList
            causes={causes}
            causesCount={report.causesCount}
            cellErrorCount={report.cellErrorCount}
            chosen={filter !== null && 'cause' in filter ? filter.cause : null}
            onShowRows={showRows}
            onCorrect={open}
          />
        )}
      </VerdictPanel>
      <ReportRows ref={rows} report={report} isStale={isStale} address={address} />
      <StoredWarnings report={report} causes={warnings} />
      {dialog}
    </Page>
  )
}

const isMotionReduced = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Has the head of a loaded report, and ends below the screen, so that nothing moves when that is shown. */
const LoadingReport = () => (
  <Page
    title="File errors"
    heading={<Skeleton className={classes.title} component="span" />}
    lead={<Skeleton className={classes.lead} component="span" />}
    actions={<Skeleton height={42} width={350} />}
    above={[crumbs.home]}
  >
    <Skeleton height="100dvh" radius={10} role="status" aria-label="Loading" />
  </Page>
)

/** What a printed report says between the name of its file and its errors. Not shown on the screen. */
function PaperHead({ report }: { report: ErrorReport }) {
  return (
    <div className={classes.head}>
      <Logo size={22} />
      <dl className={classes.facts}>
        <dt>Verdict</dt>
        <dd>{report.fileProblem?.message ?? report.errorMessage ?? texts.accepted}</dd>
      </dl>
    </div>
  )
}
