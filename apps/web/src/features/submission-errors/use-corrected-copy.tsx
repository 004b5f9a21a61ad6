import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadCorrectedFile } from '@veridict/contract/api/error-files'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { correctedMessages as texts, reportMessages } from '@veridict/contract/messages/report'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '#app/paths.ts'
import { messageOf } from '#lib/http/call-failure.ts'
import { callForFile } from '#lib/http/client.ts'
import { fileNameOf, saveFile } from '#lib/http/download.ts'
import { useAnswerMemory } from '#lib/http/use-answer-memory.ts'
import { CorrectedCopyDialog } from '#verdict/corrected-copy-dialog.tsx'
import { CorrectedNote } from '#verdict/corrected-note.tsx'
import { copyOfReport, type Correction } from '#verdict/correction.ts'

/** The dialog of the corrected copy, and what it left behind: the message above the verdict. */
export function useCorrectedCopy({ id, causes, cellErrorCount, dataDictionaryId }: ErrorReport) {
  const [ticked, setTicked] = useState<{ cause: string | null } | null>(null)
  const [correction, setCorrection] = useState<Correction | null>(null)
  const abort = useRef<AbortController>(null)
  // A copy that is made later would open the upload screen, and be uploaded.
  useEffect(() => () => abort.current?.abort(), [])
  const navigate = useNavigate()
  const memory = useAnswerMemory(dataDictionaryId)
  const uploadPath = paths.correctedUpload(dataDictionaryId)
  const copy = useMutation({
    meta: { quiet: true },
    mutationFn: async ({ correction: made, isUploaded }: { correction: Correction; isUploaded: boolean }) => {
      const { signal } = (abort.current = new AbortController())
      const file = await callForFile(downloadCorrectedFile, {
        params: { id },
        query: queryOf(made),
        signal,
      })
      setTicked(null)
      if (!isUploaded) {
        saveFile(file)
        setCorrection(made)
        return
      }
      const { blob, disposition } = file
      copyOfReport.current = {
        file: new File([blob], fileNameOf(disposition), { type: blob.type }),
        correction: made,
      }
      await navigate(uploadPath)
    },
    onError: (error) => {
      if (abort.current?.signal.aborted !== true) console.error(error)
    },
  })
  const action = (name: string, isUploaded: boolean) => ({
    name,
    onMake: (made: Correction) => copy.mutate({ correction: made, isUploaded }),
  })
  return {
    /** Opens the dialog with one cause ticked, or none. */
    open: (cause: string | null) => {
      copy.reset()
      setTicked({ cause })
    },
    dialog: ticked !== null && (
      <CorrectedCopyDialog
        causes={causes}
        cellErrorCount={cellErrorCount ?? 0}
        firstTicked={ticked.cause}
        lead={texts.lead}
        memory={memory}
        actions={[action(texts.download, false), action(texts.upload, true)]}
        pending={copy.isPending ? texts[copy.variables.isUploaded ? 'upload' : 'download'] : null}
        failure={copy.isError ? (messageOf(copy.error) ?? noticeMessages.unexpected) : null}
        onClose={() => {
          abort.current?.abort()
          setTicked(null)
        }}
      />
    ),
    note: correction && (
      <CorrectedNote
        correction={correction}
        title={texts.doneTitle}
        next={
          <Button component={Link} to={uploadPath} variant="default" size="sm">
            {reportMessages.uploadCorrected}
          </Button>
        }
        onClose={() => setCorrection(null)}
      />
    ),
  }
}

/** Without any cause, all that are sure would be corrected: those that are answered are named as well. */
function queryOf({ causes, answers }: Correction) {
  const given = [...answers]
  return {
    cause: causes.map(({ id }) => id),
    choose: given.flatMap(([id, { choice }]) => (choice === undefined ? [] : [`${id}=${choice}`])),
    map: given.flatMap(([id, { map = [] }]) => Array.from(map, ([from, to]) => `${id}:${from}=${to}`)),
  }
}
