import { Loader } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { uploadFault } from '@veridict/contract/forms/upload'
import { uploadLimits } from '@veridict/contract/limits'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { writeCount } from '@veridict/contract/notation/count'
import { useChosenFile } from '#lib/forms/use-chosen-file.ts'
import { FileDrop } from '#ui/forms/file-drop.tsx'
import { checkFile } from '#workers/file-workers.ts'
import type { CheckedVerdict } from '#workers/worker-messages.ts'
import { ruleOf, type RuleValues } from './rule-values.ts'
import classes from './try-rule.module.css'

export type TryFileProps = { values: RuleValues; book: RuleBook; fields: readonly Field[] }

/** Checks the rows of a file by the rule alone, in the browser. */
export function TryFile(trial: TryFileProps) {
  const { file, fault, choose } = useChosenFile(uploadFault)
  const { data, isError, isFetching } = useQuery({
    queryKey: ['file trial', file?.name, file?.size, file?.lastModified, JSON.stringify(trial)],
    queryFn: ({ signal }) => checkRows(file!, trial, signal),
    enabled: file !== null,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  })
  return (
    <div className={classes.file}>
      <FileDrop
        label={texts.sample}
        hint={texts.sampleHint}
        accept={uploadLimits.extensions.join(',')}
        file={file}
        error={fault}
        compact
        onFiles={choose}
      />
      {file !== null && (
        <div role="status" className={classes.verdict} data-stale={isFetching || undefined}>
          {isError ? (
            <p className={classes.quiet}>{texts.fileNotRead}</p>
          ) : data === undefined ? (
            <Loader size="sm" aria-label="Loading" />
          ) : (
            <Rows verdict={data} />
          )}
        </div>
      )}
    </div>
  )
}

const RULE = 'Rule'

function checkRows(
  file: File,
  { values, book, fields }: TryFileProps,
  signal: AbortSignal,
): Promise<CheckedVerdict> {
  const rule = { ...ruleOf(values), name: RULE, severity: 'error', from: undefined }
  const dictionary = {
    ...book,
    rules: [rule],
    fields: fields.map((field) => {
      const { itemName: columnName, ruleConfig: ruleConfigJson, ...wire } = fieldToBody(field)
      return { ...wire, columnName, ruleConfigJson }
    }),
    currentYear: new Date().getFullYear(),
    today: new Date().toISOString().slice(0, 10),
  }
  return new Promise((resolve, reject) => {
    checkFile({
      file,
      dictionary: new Blob([JSON.stringify({ value: dictionary })]),
      onProgress: () => {},
      onVerdict: resolve,
      onChecksum: () => {},
      signal,
    }).catch(reject)
  })
}

/** Most rows that are listed. */
const MOST_ROWS = 10

function Rows({ verdict }: { verdict: CheckedVerdict }) {
  if (verdict.kind === 'fileProblem') {
    const { message, details } = verdict.problem
    return (
      <>
        <p>{message}</p>
        <ul>
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      </>
    )
  }
  const causes = verdict.kind === 'passed' ? [] : verdict.causes
  const cause = causes.find(({ rule }) => rule === RULE)
  const rows =
    (verdict.kind === 'rowErrors' && verdict.causeRows.find((of) => of.cause === cause?.id)?.rows) || []
  return (
    <>
      <p>
        <strong>{texts.rowsMet(verdict.recordsCount, cause?.rows ?? 0)}</strong>
      </p>
      {causes.some(({ rule }) => rule === undefined) && <p className={classes.quiet}>{texts.cellsSkipped}</p>}
      <ul className={classes.tests}>
        {rows.slice(0, MOST_ROWS).map(({ rowNumber, columnValidationErrors }) => (
          <li key={rowNumber}>
            <b>Row {writeCount(rowNumber)}</b>{' '}
            {columnValidationErrors.flatMap(({ rule, error }) => (rule === RULE ? error : [])).join(' ')}
          </li>
        ))}
      </ul>
    </>
  )
}
