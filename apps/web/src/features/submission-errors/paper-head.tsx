import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { formatTime } from '#ui/text/format.ts'
import { Logo } from '#ui/layout/logo.tsx'
import classes from './paper-head.module.css'

/** What a printed report says between the name of its file and its errors. Not shown on the screen. */
export function PaperHead({ report }: { report: ErrorReport }) {
  return (
    <div className={classes.head}>
      <Logo size={22} />
      <dl className={classes.facts}>
        <dt>Data dictionary</dt>
        <dd>{report.dataDictionaryName}</dd>
        <dt>Uploaded on</dt>
        <dd>{formatTime(new Date(report.createdAt))}</dd>
        <dt>Verdict</dt>
        <dd>{report.fileProblem?.message ?? report.errorMessage}</dd>
      </dl>
    </div>
  )
}
