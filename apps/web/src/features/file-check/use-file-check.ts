import { readForChecking } from '@veridict/contract/api/dictionaries'
import { type EarlierUpload, findEarlierUpload } from '@veridict/contract/api/submissions'
import { startTransition, useEffect, useRef, useState } from 'react'
import { call, callForFile } from '#lib/http/client.ts'
import { checkFile } from '#workers/file-workers.ts'
import type { CheckedVerdict } from '#workers/worker-messages.ts'

/** What is to be checked: a file against a dictionary. */
export type FileToCheck = { file: File; dictionaryId: number }
/** Without a dictionary, the verdict only tells the column names of the file. */
type FileToRead = { file: File; dictionaryId: number | null }

/** `earlier`: an upload of the same bytes, as soon as it is known. `unavailable`: only the server checks. */
export type FileCheckState =
  | { step: 'running'; percent: number }
  | { step: 'done'; verdict: CheckedVerdict; milliseconds: number; longestTask: number | null }
  | { step: 'unavailable' }
export type FileCheck = { state: FileCheckState; earlier: EarlierUpload | null }

const started: FileCheck = { state: { step: 'running', percent: 0 }, earlier: null }

/**
 * Another file or dictionary begins a new check. An upload ends an unfinished check, which would take
 * processor time from it; it begins again if the upload fails. A failure is only logged, because the server
 * validates anyway. See docs/BEHAVIOUR.md#check-before-the-upload.
 */
export function useFileCheck({ file, dictionaryId }: FileToRead, isUploading: boolean): FileCheck {
  const [latest, setLatest] = useState<FileToRead & FileCheck>({ file, dictionaryId, ...started })
  const finished = useRef<FileToRead>(null)
  useEffect(() => {
    if (isUploading || (finished.current !== null && isOf(finished.current, file, dictionaryId))) return
    const abort = new AbortController()
    const show = (change: Partial<FileCheck>) => {
      if (abort.signal.aborted) return
      if (change.state?.step === 'done') finished.current = { file, dictionaryId }
      setLatest((before) => ({
        ...(isOf(before, file, dictionaryId) ? before : started),
        file,
        dictionaryId,
        ...change,
      }))
    }
    runCheck({ file, dictionaryId }, show, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return
      console.error(error)
      show({ state: { step: 'unavailable' } })
    })
    return () => abort.abort()
  }, [file, dictionaryId, isUploading])
  // The result of another file is never shown, not even until the effect runs.
  const check = isOf(latest, file, dictionaryId) ? latest : started
  return isUploading && check.state.step === 'running' ? { ...check, state: { step: 'unavailable' } } : check
}

const isOf = (latest: FileToRead, file: File, dictionaryId: number | null): boolean =>
  latest.file === file && latest.dictionaryId === dictionaryId

async function runCheck(
  { file, dictionaryId }: FileToRead,
  show: (change: Partial<FileCheck>) => void,
  signal: AbortSignal,
): Promise<void> {
  const startTime = performance.now()
  const longestTask = measureLongestTask()
  try {
    const dictionary =
      dictionaryId === null
        ? noDictionary
        : (await callForFile(readForChecking, { params: { id: dictionaryId }, signal })).blob
    signal.throwIfAborted()
    await checkFile({
      file,
      dictionary,
      signal,
      onProgress: (percent) => show({ state: { step: 'running', percent } }),
      onVerdict: (verdict) => {
        const milliseconds = Math.round(performance.now() - startTime)
        // In steps: rendering rows with many errors at once can take more than a frame.
        startTransition(() =>
          show({ state: { step: 'done', verdict, milliseconds, longestTask: longestTask() } }),
        )
      },
      onChecksum: (sha256) => {
        if (dictionaryId !== null) void showEarlier({ dictionaryId, sha256 }, show, signal)
      },
    })
  } finally {
    longestTask()
  }
}

const anyText = { description: '', category: '', ruleType: 0, isRequired: false, ruleConfigJson: '{}' }
const noRules = { rules: [], exempt: null, blankTexts: [], lists: [], currentYear: 2000, today: '2000-01-01' }
/** A dictionary that no file fits. With one field alone, a file would have one column. */
const fields = ['\uFFFC', '\uFFFC\uFFFC'].map((columnName) => ({ columnName, ...anyText }))
const noDictionary = new Blob([JSON.stringify({ value: { fields, ...noRules } })])

/** Shows an earlier upload of the same file. It is only a hint, so a failure is only logged. */
async function showEarlier(
  query: { dictionaryId: number; sha256: string },
  show: (change: Partial<FileCheck>) => void,
  signal: AbortSignal,
): Promise<void> {
  const { dictionaryId: dataDictionaryId, sha256 } = query
  try {
    show({ earlier: await call(findEarlierUpload, { query: { dataDictionaryId, sha256 }, signal }) })
  } catch (error) {
    if (!signal.aborted) console.error(error)
  }
}

/** Tasks of the page that take longer are reported by the browser, in milliseconds. */
const LONG_TASK = 'longtask'

/** The longest task in whole milliseconds, 0 if none took 50; null where a browser does not report them. */
function measureLongestTask(): () => number | null {
  if (!PerformanceObserver.supportedEntryTypes.includes(LONG_TASK)) return () => null
  let longest = 0
  const note = (entries: PerformanceEntryList) => {
    for (const { duration } of entries) longest = Math.max(longest, duration)
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ type: LONG_TASK })
  return () => {
    note(observer.takeRecords())
    observer.disconnect()
    return Math.round(longest)
  }
}
