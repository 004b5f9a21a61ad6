import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { readForChecking } from '@veridict/contract/api/dictionaries'
import { downloadCorrectedFile, downloadSourceFile } from '@veridict/contract/api/error-files'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { correctedMessages as texts, reportMessages } from '@veridict/contract/messages/report'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#app/paths.ts'
import { callForFile } from '#lib/http/client.ts'
import { saveAs } from '#lib/http/download.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { CorrectedNote } from '#verdict/corrected-note.tsx'
import { copyOfReport, type Correction } from '#verdict/correction.ts'
import { CorrectedCopyDialog } from './corrected-copy-dialog.tsx'

/** The dialog of the corrected copy of a stored file, and the message that it leaves above the verdict. */
export function useReportCopy(report: ErrorReport) {
  const { id, causes, cellErrorCount, dataDictionaryId } = report
  const [ticked, setTicked] = useState<{ cause: string | null } | null>(null)
  const [correction, setCorrection] = useState<Correction | null>(null)
  const navigate = useNavigate()
  const client = useQueryClient()
  // At once: what was answered would be lost where the file is no longer kept.
  const { error: unread } = useQuery({ ...storedFileQuery(report), enabled: ticked !== null })
  const uploadPath = paths.correctedUpload(dataDictionaryId)
  return {
    /** Opens the dialog with one cause ticked, or none. */
    open: (cause: string | null) => setTicked({ cause }),
    dialog: ticked !== null && (
      <CorrectedCopyDialog
        causes={causes}
        cellErrorCount={cellErrorCount ?? 0}
        firstTicked={ticked.cause}
        dictionaryId={dataDictionaryId}
        read={() => client.fetchQuery(storedFileQuery(report))}
        unread={unread}
        makeElsewhere={async (made, signal) =>
          (await callForFile(downloadCorrectedFile, { params: { id }, query: queryOf(made), signal })).blob
        }
        actions={[
          {
            name: texts.download,
            onCopy: (copy) => {
              saveAs(copy.file, copy.file.name)
              setCorrection(copy.correction)
            },
          },
          {
            name: texts.upload,
            onCopy: (copy) => {
              copyOfReport.current = copy
              void navigate(uploadPath)
            },
          },
        ]}
        onClose={() => setTicked(null)}
      />
    ),
    note: correction && (
      <CorrectedNote
        correction={correction}
        title={texts.doneTitle}
        next={
          <ActionButton label={reportMessages.uploadCorrected} to={uploadPath} variant="default" size="sm" />
        }
        onClose={() => setCorrection(null)}
      />
    ),
  }
}

/** The file of a report with the dictionary that it was validated by; neither changes. */
const storedFileQuery = ({ id, fileName, dataDictionaryId }: ErrorReport) =>
  queryOptions({
    queryKey: ['stored-file', id],
    queryFn: async ({ signal }) => {
      const params = { id: dataDictionaryId }
      const [source, dictionary] = await Promise.all([
        callForFile(downloadSourceFile, { params: { id }, signal }),
        callForFile(readForChecking, { params, query: { submission: id }, signal }),
      ])
      const { type } = source.blob
      return { file: new File([source.blob], fileName, { type }), dictionary: dictionary.blob }
    },
    staleTime: 'static' as const,
    networkMode: 'always',
    meta: { quiet: true },
  })

/** Without any cause, all that are sure would be corrected: those that are answered are named as well. */
function queryOf({ causes, answers }: Correction) {
  const given = [...answers]
  return {
    cause: causes.map(({ id }) => id),
    choose: given.flatMap(([id, { choice }]) => (choice === undefined ? [] : [`${id}=${choice}`])),
    map: given.flatMap(([id, { map = [] }]) => Array.from(map, ([from, to]) => `${id}:${from}=${to}`)),
  }
}
