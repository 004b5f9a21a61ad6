import type { Endpoint, ReplyOf } from '@veridict/contract/api/endpoint'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { useCallback, useEffect, useRef, useState } from 'react'
import { announceConflict } from './announce-conflict.ts'
import { announceFailure } from './announce.ts'
import { CallFailure, fieldErrorsOf, isStatus, messageOf } from './call-failure.ts'
import { upload } from './upload.ts'

/** idle → uploading → uploaded, or → refused with what to say about it in place. Spec §4. */
export type UploadState =
  | { step: 'idle' }
  | { step: 'uploading'; fileName: string; percent: number }
  | { step: 'uploaded'; fileName: string }
  | { step: 'refused'; messages: string[] }

/**
 * Sends a file to an endpoint and tells how far it has come; `start` answers what came back, or null. Failures are told as the error
 * catalogue says; what is wrong with the file itself, a lost connection and a list of faults stay readable in `refused`. Leaving the
 * screen stops the upload.
 */
export function useUpload<E extends Endpoint>(endpoint: E) {
  const [state, setState] = useState<UploadState>({ step: 'idle' })
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = useCallback(
    async (file: File, fields: Record<string, string>): Promise<ReplyOf<E> | null> => {
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
    },
    [endpoint],
  )
  const reset = useCallback(() => setState({ step: 'idle' }), [])
  return { state, start, reset }
}

function refusal(failure: unknown): UploadState {
  if (isStatus(failure, 0)) return { step: 'refused', messages: [uploadMessages.interrupted] }
  if (failure instanceof CallFailure && Array.isArray(failure.body)) return { step: 'refused', messages: failure.body.map(String) }
  const messages = fieldErrorsOf(failure).file ?? aboutSizeOrType(failure)
  return messages.length === 0 ? { step: 'idle' } : { step: 'refused', messages }
}

const aboutSizeOrType = (failure: unknown): string[] =>
  isStatus(failure, 413) || isStatus(failure, 415) ? [messageOf(failure)].filter((message) => message !== null) : []
