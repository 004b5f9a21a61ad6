import type { Endpoint, ReplyOf } from '@veridict/contract/api/endpoint'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { useEffect, useRef, useState } from 'react'
import { useChosenFile } from '#lib/forms/use-chosen-file.ts'
import { announceConflict, announceFailure } from './announce.tsx'
import { CallFailure, fieldErrorsOf, isStatus, messageOf } from './call-failure.ts'
import { upload } from './upload.ts'

/**
 * idle → uploading → uploaded, canceled, or refused with the messages to show at the form. The chosen file
 * stays chosen, unless it must be selected again (`isFileLost`). See docs/BEHAVIOUR.md#upload.
 */
export type UploadState =
  | { step: 'idle' }
  | { step: 'canceled' }
  | { step: 'uploading'; fileName: string; percent: number }
  | { step: 'uploaded'; fileName: string }
  | { step: 'refused'; messages: string[]; isFileAtFault: boolean; isFileLost: boolean }

/**
 * A form that uploads one file: the choice of the file, and its progress. `faultOf` says why a file is not
 * sent. `start` resolves to the response, or null after a failure. A failure shows its notice and also stays
 * in `refused`: a large upload takes long, and a notice disappears after 4 seconds. Canceling and leaving the
 * screen abort the upload; the server then stores nothing.
 */
export function useUpload<E extends Endpoint>(
  endpoint: E,
  faultOf: (file: File) => string | null,
  firstFile: File | null = null,
) {
  const [state, setState] = useState<UploadState>({ step: 'idle' })
  const chosen = useChosenFile(faultOf, firstFile)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = async (file: File, fields: Record<string, string>): Promise<ReplyOf<E> | null> => {
    const { signal } = (abort.current = new AbortController())
    const show = (percent: number) => setState({ step: 'uploading', fileName: file.name, percent })
    show(0)
    try {
      const reply = await upload(endpoint, { file, fields, onProgress: show, signal })
      setState({ step: 'uploaded', fileName: file.name })
      return reply
    } catch (failure) {
      if (signal.aborted) return null
      setState(refusal(failure))
      announceConflict(failure)
      if (!isStatus(failure, 0)) announceFailure(failure)
      return null
    }
  }
  const reset = () => setState({ step: 'idle' })
  const cancel = () => {
    abort.current?.abort()
    setState({ step: 'canceled' })
  }
  return {
    ...chosen,
    state,
    /** null where it must be selected again. The first one is in memory, where nobody modifies it. */
    file: state.step === 'refused' && state.isFileLost && chosen.file !== firstFile ? null : chosen.file,
    choose(files: readonly File[]): File | null {
      reset()
      return chosen.choose(files)
    },
    start,
    reset,
    /** For the frame of the form. */
    frame: {
      progress:
        state.step === 'uploading'
          ? { text: uploadMessages.uploading(state.fileName), percent: state.percent }
          : null,
      note: state.step === 'canceled' ? uploadMessages.canceled : null,
      onCancel: cancel,
    },
  }
}

function refusal(failure: unknown): UploadState {
  if (isStatus(failure, 0)) return { ...refused([uploadMessages.interrupted], false), isFileLost: true }
  if (failure instanceof CallFailure && Array.isArray(failure.body))
    return refused(failure.body.map(String), true)
  const { file, ...others } = fieldErrorsOf(failure)
  if (file !== undefined) return refused(file, true)
  const messages = Object.values(others).flat()
  const isSizeOrType = isStatus(failure, 413) || isStatus(failure, 415)
  return refused(
    messages.length > 0 ? messages : [messageOf(failure) ?? noticeMessages.unexpected],
    isSizeOrType,
  )
}

const refused = (messages: string[], isFileAtFault: boolean) => ({
  step: 'refused' as const,
  messages,
  isFileAtFault,
  isFileLost: false,
})
