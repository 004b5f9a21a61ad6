import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadCorrectedFile } from '@veridict/contract/api/error-files'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { correctedMessages as texts, reportMessages } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { messageOf } from '#lib/http/call-failure.ts'
import { download } from '#lib/http/download.ts'
import { type CorrectedCopyChoice, CorrectedCopyDialog } from '#verdict/corrected-copy-dialog.tsx'
import { CorrectedNote } from '#verdict/corrected-note.tsx'
import type { Correction } from '#verdict/correction.ts'

/** The dialog of the corrected copy, and what it left behind: the message above the verdict. */
export function useCorrectedCopy({ id, causes, cellErrorCount, dataDictionaryId }: ErrorReport) {
  const [ticked, setTicked] = useState<{ cause: string | null } | null>(null)
  const [correction, setCorrection] = useState<Correction | null>(null)
  return {
    /** Opens the dialog with one cause ticked, or none. */
    open: (cause: string | null) => setTicked({ cause }),
    dialog: ticked !== null && (
      <CopyDialog
        submissionId={id}
        causes={causes}
        cellErrorCount={cellErrorCount ?? 0}
        firstTicked={ticked.cause}
        onClose={() => setTicked(null)}
        onDone={(done) => {
          setTicked(null)
          setCorrection(done)
        }}
      />
    ),
    note: correction && (
      <CorrectedNote
        correction={correction}
        title={texts.doneTitle}
        next={
          <Button component={Link} to={paths.correctedUpload(dataDictionaryId)} variant="default" size="sm">
            {reportMessages.uploadCorrected}
          </Button>
        }
        onClose={() => setCorrection(null)}
      />
    ),
  }
}

type CopyDialogProps = CorrectedCopyChoice & {
  submissionId: number
  /** Called when the copy is on its way to the clerk's disk. */
  onDone: (correction: Correction) => void
}

/** Downloads a copy of an uploaded file with the suggestions of some causes. Shows a failure itself. */
function CopyDialog({ submissionId, onDone, ...dialog }: CopyDialogProps) {
  const copy = useMutation({
    meta: { quiet: true },
    mutationFn: (causes: readonly Cause[]) =>
      download(downloadCorrectedFile, {
        params: { id: submissionId },
        query: { cause: causes.map((cause) => cause.id) },
      }),
    onError: (error) => console.error(error),
  })
  return (
    <CorrectedCopyDialog
      {...dialog}
      lead={texts.lead}
      action={texts.download}
      isPending={copy.isPending}
      failure={copy.isError ? (messageOf(copy.error) ?? noticeMessages.unexpected) : null}
      onMake={(correction) => copy.mutate(correction.causes, { onSuccess: () => onDone(correction) })}
    />
  )
}
