import type { Endpoint } from '@veridict/contract/api/endpoint'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { useCallback, useEffect, useRef, useState } from 'react'
import { announceConflict } from './announce-conflict.ts'
import { announceFailure } from './announce.ts'
import { isStatus, CallFailure } from './call-failure.ts'
import { upload } from './upload.ts'

/** idle → uploading → uploaded, or → refused with what to say about it in place. Spec §4. */
export type UploadState =
  | { step: 'idle' }
  | { step: 'uploading'; fileName: string; percent: number }
  | { step: 'uploaded'; fileName: string }
  | { step: 'refused'; messages: string[] }

/**
 * Sends a file to an endpoint and tells how far it has come. Failures are told as the error catalogue says; a lost connection, a
 * file changed on disk and a list of faults stay readable in `refused`. Leaving the screen stops the upload.
 */
export function useUpload(endpoint: Endpoint) {
  const [state, setState] = useState<UploadState>({ step: 'idle' })
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = useCallback(
    async (file: File, fields: Record<string, string>): Promise<boolean> => {
      const { signal } = (abort.current = new AbortController())
      const show = (percent: number) => setState({ step: 'uploading', fileName: file.name, percent })
      show(0)
      try {
        await upload(endpoint, { file, fields, onProgress: show, signal })
        setState({ step: 'uploaded', fileName: file.name })
        return true
      } catch (failure) {
        if (signal.aborted) return false
        setState(refusal(failure))
        announceConflict(failure)
        if (!isStatus(failure, 0)) announceFailure(failure)
        return false
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
  return { step: 'idle' }
}
