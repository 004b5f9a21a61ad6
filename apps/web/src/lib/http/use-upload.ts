import { uploadStopHeader } from '@veridict/contract/api/config'
import type { Endpoint, ReplyOf } from '@veridict/contract/api/endpoint'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { jsonOrNull } from '@veridict/contract/notation/json-or-null'
import { useEffect, useRef, useState } from 'react'
import { tokenStore } from '#lib/session/token-store.ts'
import { createStore } from '#lib/store.ts'
import { announceConflict, announceFailure } from './announce.tsx'
import { CallFailure, fieldErrorsOf, isStatus, messageOf } from './call-failure.ts'
import { callHeaders, endSessionOn401, noteUploadStop, valueOf } from './client.ts'

/** A file with `isFileLost` must be selected again, others stay chosen. See docs/BEHAVIOUR.md#upload. */
export type UploadState =
  | { step: 'idle' }
  | { step: 'canceled' }
  | { step: 'uploading'; fileName: string; percent: number }
  | { step: 'uploaded'; fileName: string }
  | { step: 'refused'; messages: string[]; isFileAtFault: boolean; isFileLost: boolean }

/**
 * `faultOf` says why a file is not sent. `start` resolves to the response, or null after a failure, which
 * shows its notice and also stays in `refused`: a notice disappears after 4 seconds, and a large upload takes
 * longer. Canceling and leaving the screen abort the upload; the server then stores nothing.
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

export function refusal(failure: unknown): UploadState {
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

/** Whether a file is being uploaded. Leaving the screen and logging out then ask first. */
export const isUploading = createStore(false)

type UploadInput = {
  file: File
  /** The other parts of the form, sent before the file: the server can refuse without reading the file. */
  fields: Record<string, string>
  /** Percent sent, 0 to 100. */
  onProgress: (percent: number) => void
  signal: AbortSignal
}

/**
 * XMLHttpRequest, because fetch reports no upload progress. Throws a CallFailure, whose status 0 means a lost
 * connection or a file that changed on disk.
 */
async function upload<E extends Endpoint>(endpoint: E, input: UploadInput): Promise<ReplyOf<E>> {
  isUploading.set(true)
  try {
    const token = tokenStore.read()?.token ?? null
    const { status, body } = await sendForm(endpoint, input, await callHeaders(token))
    if (status < 200 || status > 299)
      throw endSessionOn401(new CallFailure(status, endpoint.path, body), token)
    return valueOf(endpoint, body)
  } finally {
    isUploading.set(false)
  }
}

function sendForm(
  endpoint: Endpoint,
  { file, fields, onProgress, signal }: UploadInput,
  headers: Record<string, string>,
) {
  return new Promise<{ status: number; body: unknown }>((resolve) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', file)
    const request = new XMLHttpRequest()
    request.open(endpoint.method, endpoint.path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : Math.floor((loaded / total) * 100)),
    )
    request.addEventListener('loadend', () => {
      noteUploadStop(request.getResponseHeader(uploadStopHeader), false)
      resolve({ status: request.status, body: jsonOrNull(request.responseText) })
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

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
