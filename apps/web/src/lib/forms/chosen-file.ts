import { uploadMessages } from '@veridict/contract/messages/upload'

/** The one file that was chosen or dropped, or the reason why it is refused; both null after clearing. */
export function chosenFile(
  files: readonly File[],
  faultOf: (file: File) => string | null,
): { file: File | null; fault: string | null } {
  if (files.length > 1) return { file: null, fault: uploadMessages.oneFileOnly }
  const [file = null] = files
  const fault = file && faultOf(file)
  return { file: fault === null ? file : null, fault }
}
