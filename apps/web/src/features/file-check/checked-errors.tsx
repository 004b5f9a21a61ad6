import { useMutation } from '@tanstack/react-query'
import { readForChecking } from '@veridict/contract/api/dictionaries'
import { pageSizes, uploadLimits } from '@veridict/contract/limits'
import { fileCheckMessages } from '@veridict/contract/messages/file-check'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { Cause } from '@veridict/contract/model/cause'
import { correctedName } from '@veridict/contract/notation/corrected-name'
import { useEffect, useRef, useState } from 'react'
import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { callForFile } from '#lib/http/client.ts'
import { saveAs } from '#lib/http/download.ts'
import { useAnswerMemory } from '#lib/http/use-answer-memory.ts'
import { pageOf, Pager } from '#ui/tables/pager.tsx'
import { CauseList } from '#verdict/cause-list.tsx'
import { type CorrectedCopyChoice, CorrectedCopyDialog } from '#verdict/corrected-copy-dialog.tsx'
import type { CorrectedCopy, Correction } from '#verdict/correction.ts'
import { ErrorRows } from '#verdict/error-rows.tsx'
import { RowsSection } from '#verdict/rows-section.tsx'
import { errorFigures, VerdictPanel } from '#verdict/verdict-panel.tsx'
import { WarningPart, WarningRows } from '#verdict/warning-part.tsx'
import { correctFile } from '#workers/file-workers.ts'
import type { CheckedRowErrors, CheckedVerdict } from '#workers/worker-messages.ts'
import type { FileToCheck } from './use-file-check.ts'

export type CheckedErrorsProps = {
  verdict: CheckedRowErrors
  /** Opens the dialog of the corrected copy, with one cause ticked or none; without it none is offered. */
  onCorrect?: (cause: string | null) => void
}

/** The rows with errors of a checked file, as its report will show them: the causes, then the first rows. */
export function CheckedErrors({ verdict, onCorrect }: CheckedErrorsProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = useRef<HTMLElement>(null)
  const showRows = (cause: string | null) => {
    setChosen(cause)
    if (cause === null) return
    rows.current?.focus({ preventScroll: true })
    rows.current?.scrollIntoView()
  }
  return (
    <>
      <VerdictPanel figures={errorFigures(verdict)} title={fileCheckMessages.notReady}>
        <CauseList
          {...verdict}
          chosen={chosen}
          onShowRows={showRows}
          onCorrect={onCorrect}
          onCorrectMany={onCorrect && (() => onCorrect(null))}
        />
      </VerdictPanel>
      <RowsSection ref={rows} text={rowsText(verdict, chosen)}>
        <ListedRows key={chosen} rows={rowsOf(verdict, chosen)} />
      </RowsSection>
      <CheckedWarnings verdict={verdict} />
    </>
  )
}

/** The warnings of a checked file, as its report will show them. */
export function CheckedWarnings({ verdict }: { verdict: CheckedVerdict }) {
  if (verdict.kind === 'fileProblem' || verdict.warnings === undefined) return null
  const { warnings, causeRows } = verdict
  const ofCause = ({ id }: Cause) => causeRows.find(({ cause }) => cause === id)?.rows ?? []
  return <WarningPart {...warnings} rowsOf={(cause) => <WarningRows cause={cause} rows={ofCause(cause)} />} />
}

const rowsOf = ({ rows, causeRows }: CheckedRowErrors, chosen: string | null) =>
  chosen === null ? rows : (causeRows.find(({ cause }) => cause === chosen)?.rows ?? [])

/** Which rows are listed; nothing where these are all. */
function rowsText(verdict: CheckedRowErrors, chosen: string | null): string {
  const shown = rowsOf(verdict, chosen).length
  const cause = verdict.causes.find(({ id }) => id === chosen)
  if (cause !== undefined) return texts.rowsOfCause(shown, cause.rows)
  return verdict.errorRowCount > shown ? fileCheckMessages.firstRowsOf(verdict.errorRowCount) : ''
}

function ListedRows({ rows }: { rows: CheckedRowErrors['rows'] }) {
  const [page, setPage] = useState(1)
  const { data, ...total } = pageOf(rows, page, pageSizes.fileErrors)
  return (
    <>
      <ErrorRows key={page} rows={data} />
      <Pager page={page} pageSize={pageSizes.fileErrors} {...total} onPage={setPage} isQuiet />
    </>
  )
}

type CopyDialogProps = CorrectedCopyChoice & {
  checked: FileToCheck
  /** Called with the copy, which is saved as well, after `onClose`. */
  onDone: (copy: CorrectedCopy) => void
}

/** Makes a corrected copy of a file before it is uploaded. */
export function CopyDialog({ checked, onDone, ...dialog }: CopyDialogProps) {
  const copy = useCopy(checked)
  const onSuccess = (made: CorrectedCopy) => {
    dialog.onClose()
    onDone(made)
  }
  return (
    <CorrectedCopyDialog
      {...dialog}
      lead={fileCheckMessages.copyLead}
      memory={useAnswerMemory(checked.dictionaryId)}
      findBelow={async (wanted, signal) => {
        const request = await readRequest(checked, signal)
        return (await correctFile({ ...request, ...wanted, wants: 'below', signal })).below
      }}
      actions={[
        { name: fileCheckMessages.makeCopy, onMake: (correction) => copy.mutate(correction, { onSuccess }) },
      ]}
      pending={copy.isPending ? fileCheckMessages.makeCopy : null}
      failure={copy.isError ? failureText(copy.error) : null}
    />
  )
}

function failureText(error: Error): string {
  if (error instanceof CopyTooLarge) return fileCheckMessages.copyTooLarge
  if (error instanceof FileModified || isStatus(error, 0)) return uploadMessages.interrupted
  return messageOf(error) ?? fileCheckMessages.copyFailed
}

/** Values of a copy can be longer than those of the file. */
class CopyTooLarge extends Error {}
/** The file was modified or deleted after it was chosen. */
class FileModified extends Error {}

/**
 * Makes the corrected copy of a checked file in the browser, and saves it. It ends with the dialog. Fails
 * with `CopyTooLarge` instead of saving what cannot be uploaded, with `FileModified`, and with a CallFailure.
 */
function useCopy({ file, dictionaryId }: FileToCheck) {
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (correction: Correction): Promise<CorrectedCopy> => {
      const { signal } = (abort.current = new AbortController())
      await refuseModified(file)
      const request = await readRequest({ file, dictionaryId }, signal)
      const causes = correction.causes.map(({ id }) => id)
      const wanted = { causes, answers: correction.answers, wants: 'copy' as const }
      const { copy, removed } = await correctFile({ ...request, ...wanted, signal })
      if (copy.size > uploadLimits.maxBytes) throw new CopyTooLarge()
      const name = correctedName(file.name)
      saveAs(copy, name)
      return {
        file: new File([copy], name, { type: file.type }),
        correction: { ...correction, removed },
      }
    },
    onError: (error) => {
      if (abort.current?.signal.aborted !== true) console.error(error)
    },
  })
}

/** The file with its dictionary as it is now. */
const readRequest = async ({ file, dictionaryId }: FileToCheck, signal: AbortSignal) => ({
  file,
  dictionary: (await callForFile(readForChecking, { params: { id: dictionaryId }, signal })).blob,
})

/** Throws if the browser no longer reads the file, which a failed worker does not say. */
async function refuseModified(file: File): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((error: unknown) => {
      throw new FileModified('The file cannot be read any more.', { cause: error })
    })
}
