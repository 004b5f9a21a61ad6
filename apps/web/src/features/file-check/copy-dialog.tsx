import { fileCheckMessages as texts } from '@veridict/contract/messages/file-check'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { CorrectedCopyDialog, type CorrectedCopyChoice } from '#verdict/corrected-copy-dialog.tsx'
import type { Correction } from '#verdict/correction.ts'
import { CopyTooLarge, FileModified, useCopy } from './use-copy.ts'
import type { FileToCheck } from './use-file-check.ts'

type CopyDialogProps = CorrectedCopyChoice & {
  checked: FileToCheck
  /** Called with the copy, which is saved as well. */
  onDone: (copy: File, correction: Correction) => void
}

/** Makes a corrected copy of a file before it is uploaded. */
export function CopyDialog({ checked, onDone, ...dialog }: CopyDialogProps) {
  const copy = useCopy(checked)
  return (
    <CorrectedCopyDialog
      {...dialog}
      lead={texts.copyLead}
      action={texts.makeCopy}
      isPending={copy.isPending}
      failure={copy.isError ? failureText(copy.error) : null}
      onMake={(correction) => copy.mutate(correction, { onSuccess: (file) => onDone(file, correction) })}
    />
  )
}

function failureText(error: Error): string {
  if (error instanceof CopyTooLarge) return texts.copyTooLarge
  if (error instanceof FileModified || isStatus(error, 0)) return uploadMessages.interrupted
  return messageOf(error) ?? texts.copyFailed
}
