import { noticeMessages } from '@veridict/contract/messages/notices'
import { correctedMessages as texts } from '@veridict/contract/messages/report'
import { messageOf } from '#lib/http/call-failure.ts'
import { CorrectedCopyDialog, type CorrectedCopyChoice } from '#verdict/corrected-copy-dialog.tsx'
import type { Correction } from '#verdict/correction.ts'
import { useCorrectedCopy } from './use-corrected-copy.ts'

type CopyDialogProps = CorrectedCopyChoice & {
  submissionId: number
  /** Called when the copy is on its way to the clerk's disk. */
  onDone: (correction: Correction) => void
}

/** Downloads a corrected copy of an uploaded file. */
export function CopyDialog({ submissionId, onDone, ...dialog }: CopyDialogProps) {
  const copy = useCorrectedCopy(submissionId)
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
