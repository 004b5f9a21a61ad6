import { uploadMessages } from '@veridict/contract/messages/upload'
import { useState } from 'react'

/** The file that was chosen, or why it is refused; both null before that. */
type Choice = { file: File | null; fault: string | null }
const noChoice: Choice = { file: null, fault: null }

/** The one file that a form takes. `faultOf` says why a file is refused; `first` is chosen from the start. */
export function useChosenFile(faultOf: (file: File) => string | null, first: File | null = null) {
  const [choice, setChoice] = useState(first === null ? noChoice : choiceOf([first], faultOf))
  const { file } = choice
  return {
    ...choice,
    /** Takes what was chosen or dropped, and returns the file if it can be used. */
    choose(files: readonly File[]): File | null {
      const chosen = choiceOf(files, faultOf)
      setChoice(chosen)
      return chosen.file
    },
    refuse: (reason: string) => setChoice({ file, fault: reason }),
    clear: () => setChoice(noChoice),
  }
}

function choiceOf(files: readonly File[], faultOf: (file: File) => string | null): Choice {
  if (files.length > 1) return { file: null, fault: uploadMessages.oneFileOnly }
  const [file = null] = files
  const fault = file && faultOf(file)
  return { file: fault === null ? file : null, fault }
}
