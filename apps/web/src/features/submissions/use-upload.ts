import { useQueryClient } from '@tanstack/react-query'
import { uploadSubmission } from '@veridict/contract/api/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { useCallback, useEffect, useRef, useState } from 'react'
import { announce, announceFailure } from '#lib/http/announce.ts'
import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { errorNotice } from '#lib/http/error-notice.ts'
import { upload } from '#lib/http/upload.ts'
import { historyKey } from './api.ts'

/** idle → uploading → uploaded, or → failed with what to do about it. Spec §4. */
export type UploadState =
  | { step: 'idle' }
  | { step: 'uploading'; fileName: string; percent: number }
  | { step: 'uploaded'; fileName: string }
  | { step: 'interrupted'; message: string }

/** Sends a data file. Leaving the screen stops it (the leave guard has asked before). */
export function useUpload() {
  const client = useQueryClient()
  const [state, setState] = useState<UploadState>({ step: 'idle' })
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = useCallback(
    async (file: File, dictionaryId: string): Promise<boolean> => {
      const { signal } = (abort.current = new AbortController())
      const show = (percent: number) => setState({ step: 'uploading', fileName: file.name, percent })
      show(0)
      try {
        await upload(uploadSubmission, { file, fields: { dataDictionaryId: dictionaryId }, onProgress: show, signal })
        setState({ step: 'uploaded', fileName: file.name })
        void client.invalidateQueries({ queryKey: historyKey })
        return true
      } catch (failure) {
        if (signal.aborted) return false
        setState(isStatus(failure, 0) ? { step: 'interrupted', message: uploadMessages.interrupted } : { step: 'idle' })
        if (isStatus(failure, 409)) announce(errorNotice(messageOf(failure) ?? uploadMessages.malformed))
        else if (!isStatus(failure, 0)) announceFailure(failure)
        return false
      }
    },
    [client],
  )
  const reset = useCallback(() => setState({ step: 'idle' }), [])
  return { state, start, reset }
}
