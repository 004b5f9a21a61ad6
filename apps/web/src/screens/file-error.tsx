import { Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { errorScreenLimits, pageSizes } from '@veridict/contract/limits'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import { writeCount } from '@veridict/contract/notation/count'
import { idOf } from '@veridict/contract/notation/id'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { paths } from '#app/paths.ts'
import { errorReportQuery } from '#features/submission-errors/api.ts'
import { DownloadMenu } from '#features/submission-errors/download-menu.tsx'
import { ErrorRows } from '#verdict/error-rows.tsx'
import { FileProblem } from '#verdict/file-problem.tsx'
import { RowErrorsModal } from '#features/submission-errors/row-errors-modal.tsx'
import { isStatus } from '#lib/http/call-failure.ts'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Pager } from '#ui/tables/pager.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'
import classes from './file-error.module.css'
import { NotFound } from './not-found.tsx'

const home = { label: 'Home', to: paths.home }

/**
 * The errors of a file: its rows with errors, or the problem of the whole file. See
 * docs/BEHAVIOUR.md#file-errors.
 */
export function FileError() {
  const id = idOf(useParams().id)
  return id === null ? <NotFound /> : <StoredReport id={id} />
}

function StoredReport({ id }: { id: number }) {
  const { page, goTo } = useListAddress()
  const report = useQuery(errorReportQuery(id, page))
  if (isStatus(report.error, 404) && report.data === undefined) return <NotFound />
  if (report.isError && report.data === undefined) {
    return (
      <Page title="File errors" crumbs={[home, { label: 'File errors' }]}>
        <LoadFailure
          isFramed
          what="The errors"
          failure={report.error}
          onRetry={() => void report.refetch()}
        />
      </Page>
    )
  }
  if (report.data === undefined) return <LoadingReport />
  const { fileName, errorType, fileProblem } = report.data
  const isStructure = errorType === ErrorType.Columns || errorType === ErrorType.ColumnOrder
  return (
    <Page
      heading={<BreakableName name={fileName} />}
      title={`Errors in ${fileName}`}
      crumbs={[home, { label: fileName }]}
      lead={errorType === ErrorType.RowErrors ? <Summary report={report.data} /> : undefined}
      actions={
        errorType === ErrorType.RowErrors ? (
          <>
            <Button component={Link} to={paths.fileUpload} variant="default">
              Upload new file
            </Button>
            <DownloadMenu submissionId={id} />
          </>
        ) : (
          isStructure && <DownloadMenu submissionId={id} files={['highlighted']} variant="default" />
        )
      }
    >
      {fileProblem === null ? (
        <RowErrors report={report.data} page={page} isStale={report.isPlaceholderData} onPage={goTo} />
      ) : (
        <FileProblem problem={fileProblem} uploadPath={paths.fileUpload} />
      )}
    </Page>
  )
}

/** The number of rows with errors, and how many of them are shown. */
function Summary({ report: { errorRowCount } }: { report: ErrorReport }) {
  if (errorRowCount === null) return <>{texts.upToRows}</>
  const rows = `${writeCount(errorRowCount)} row${errorRowCount === 1 ? '' : 's'} with errors`
  return (
    <>
      <strong className={classes.count}>{rows}</strong>
      <span>Correct the cells below in your file, then upload it again.</span>
      {errorRowCount > errorScreenLimits.maxRows && (
        <span className={classes.part}>{texts.firstRowsOf(errorRowCount)}</span>
      )}
    </>
  )
}

type RowErrorsProps = { report: ErrorReport; page: number; isStale: boolean; onPage: (page: number) => void }

function RowErrors({ report: { id, fileName, rows }, page, isStale, onPage }: RowErrorsProps) {
  const [shownRow, setShownRow] = useState<number | null>(null)
  const [isShown, { open, close }] = useDisclosure(false)
  const show = (rowNumber: number) => {
    setShownRow(rowNumber)
    open()
  }
  return (
    <>
      <ErrorRows key={page} rows={rows.data} isStale={isStale} onViewAll={show} />
      <Pager
        page={page}
        pageSize={pageSizes.fileErrors}
        totalPages={rows.totalPages}
        totalCount={rows.totalCount}
        onPage={onPage}
      />
      <RowErrorsModal
        submissionId={id}
        fileName={fileName}
        rowNumber={shownRow}
        isOpen={isShown}
        onClose={close}
      />
    </>
  )
}

function LoadingReport() {
  return (
    <Page
      title="File errors"
      heading={<Skeleton height={36} width="min(420px, 80%)" component="span" display="block" />}
      crumbs={[home]}
      lead={
        <>
          <Skeleton height={16} width={150} mt={14} />
          <Skeleton height={12} width="min(340px, 100%)" mt={12} />
        </>
      }
    >
      <div className={classes.loading}>
        <SkeletonRows count={pageSizes.fileErrors} />
      </div>
    </Page>
  )
}
