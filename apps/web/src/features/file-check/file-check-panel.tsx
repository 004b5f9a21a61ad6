import { VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconClock, IconHistory } from '@tabler/icons-react'
import { readForChecking } from '@veridict/contract/api/dictionaries'
import type { EarlierUpload } from '@veridict/contract/api/submissions'
import { fileCheckMessages as texts } from '@veridict/contract/messages/file-check'
import { correctedMessages } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { ErrorType } from '@veridict/contract/model/verdict'
import { isSettled, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { useEffect, useEffectEvent, useState } from 'react'
import { paths } from '#app/paths.ts'
import { callForFile } from '#lib/http/client.ts'
import { saveAs } from '#lib/http/download.ts'
import { ActionButton, TextLink } from '#ui/forms/action-button.tsx'
import { UploadProgress } from '#ui/forms/upload-frame.tsx'
import { formatDay } from '#ui/text/format.ts'
import { CorrectedNote } from '#verdict/corrected-note.tsx'
import type { CorrectedCopy } from '#verdict/correction.ts'
import { FileProblem } from '#verdict/file-problem.tsx'
import type { CheckedVerdict } from '#workers/worker-messages.ts'
import { CheckedErrors, type CheckedErrorsProps, CheckedWarnings } from './checked-errors.tsx'
import { CorrectedCopyDialog } from './corrected-copy-dialog.tsx'
import classes from './file-check-panel.module.css'
import { useFittingDictionaries } from './fitting-dictionaries.tsx'
import { CopyRefusal } from './make-copy.ts'
import { type FileCheckState, type FileToCheck, useFileCheck } from './use-file-check.ts'

export type FileCheckPanelProps = FileToCheck & {
  isUploading: boolean
  /** The copy that was chosen when the screen opened, if there is one. */
  firstCopy: CorrectedCopy | null
  onReplace: (copy: File) => void
  onDictionary: (id: number) => void
  /** Called when the check of the file has ended with a verdict. */
  onVerdict: (file: File, kind: CheckedVerdict['kind']) => void
}

/** See docs/BEHAVIOUR.md#check-before-the-upload. */
export function FileCheckPanel(props: FileCheckPanelProps) {
  const { isUploading, firstCopy, onReplace, onVerdict, onDictionary, ...choice } = props
  const { state, earlier } = useFileCheck(choice, isUploading)
  const [copied, setCopied] = useState(firstCopy)
  const [ticked, setTicked] = useState<{ file: File; cause: string | null } | null>(null)
  const { file } = choice
  const kind = state.step === 'done' ? state.verdict.kind : null
  const tellVerdict = useEffectEvent(onVerdict)
  useEffect(() => {
    if (kind !== null) tellVerdict(file, kind)
  }, [file, kind])
  return (
    <section aria-label={texts.title} className={classes.check} {...figuresOf(state)}>
      {copied?.file === file && (
        <CorrectedNote
          correction={copied.correction}
          title={copied === firstCopy ? correctedMessages.copyHere : texts.copyChosen}
          next={
            copied === firstCopy && (
              <ActionButton
                label={correctedMessages.save}
                variant="default"
                size="sm"
                onClick={() => saveAs(file, file.name)}
              />
            )
          }
          onClose={() => setCopied(null)}
        />
      )}
      <Outcome state={state} fileName={file.name} />
      {earlier !== null && <EarlierHint {...earlier} />}
      {state.step === 'done' && (
        <Errors
          verdict={state.verdict}
          dictionaryId={choice.dictionaryId}
          onDictionary={onDictionary}
          onCorrect={isUploading ? undefined : (cause) => setTicked({ file, cause })}
        />
      )}
      {ticked?.file === file && state.step === 'done' && !isUploading && (
        <CorrectedCopyDialog
          {...causesOf(state.verdict)}
          firstTicked={ticked.cause}
          dictionaryId={choice.dictionaryId}
          read={(signal) => readChoice(choice, signal)}
          actions={[
            {
              name: texts.makeCopy,
              onCopy: (copy) => {
                saveAs(copy.file, copy.file.name)
                setCopied(copy)
                onReplace(copy.file)
              },
            },
          ]}
          onClose={() => setTicked(null)}
        />
      )}
    </section>
  )
}

/** The file with its dictionary as it is now. Throws a CallFailure and a `CopyRefusal`. */
async function readChoice({ file, dictionaryId }: FileToCheck, signal: AbortSignal) {
  // A failed worker does not say that the browser no longer reads the file.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((error: unknown) => {
      throw new CopyRefusal(uploadMessages.interrupted, { cause: error })
    })
  const { blob } = await callForFile(readForChecking, { params: { id: dictionaryId }, signal })
  return { file, dictionary: blob }
}

/** The result for programs. A figure that the verdict does not have is left out. */
function figuresOf(state: FileCheckState): Record<`data-${string}`, string | number | null | undefined> {
  if (state.step !== 'done') return state.step === 'running' ? { 'data-check': 'running' } : {}
  const { verdict, milliseconds, longestTask } = state
  const isOfFile = verdict.kind === 'fileProblem'
  const isOfRows = verdict.kind === 'rowErrors'
  return {
    'data-check': verdict.kind,
    'data-milliseconds': milliseconds,
    'data-longest-task': longestTask,
    'data-error-type': isOfFile ? verdict.problem.errorType : isOfRows ? ErrorType.RowErrors : null,
    ...(!isOfFile && {
      'data-records': verdict.recordsCount,
      'data-error-rows': isOfRows ? verdict.errorRowCount : 0,
      'data-cell-errors': isOfRows ? verdict.cellErrorCount : 0,
    }),
  }
}

function Outcome({ state, fileName }: { state: FileCheckState; fileName: string }) {
  if (state.step === 'running')
    return <UploadProgress text={texts.running(fileName)} percent={state.percent} />
  if (state.step === 'unavailable') return <Line tone="quiet" icon={IconClock} text={texts.unavailable} />
  const { verdict } = state
  if (verdict.kind === 'passed')
    return <Line tone="good" icon={IconCircleCheck} text={texts.passed(verdict.recordsCount)} />
  if (verdict.kind === 'rowErrors') {
    // For screen readers, which announce it: the figures stand in the panel of the verdict.
    return (
      <VisuallyHidden role="status">
        {submissionMessages.rowsWithErrors(verdict.errorRowCount, verdict.recordsCount)}{' '}
        {texts.wouldBeRefused}
      </VisuallyHidden>
    )
  }
  return <Line tone="bad" icon={IconAlertCircle} text={texts.wouldBeRefused} />
}

type LineProps = { tone: 'good' | 'bad' | 'quiet'; icon: typeof IconClock; text: string }

const Line = ({ tone, icon: Icon, text }: LineProps) => (
  <div role="status" className={classes.line} data-tone={tone}>
    <Icon size={24} stroke={1.7} aria-hidden />
    <strong>{text}</strong>
  </div>
)

type ErrorsProps = Pick<CheckedErrorsProps, 'onCorrect'> &
  Pick<FileCheckPanelProps, 'dictionaryId' | 'onDictionary'> & { verdict: CheckedVerdict }

/** What is wrong, as the report of the file will show it. */
function Errors({ verdict, dictionaryId, onDictionary, onCorrect }: ErrorsProps) {
  const labels = verdict.kind === 'fileProblem' ? verdict.labels : undefined
  const otherDictionaries = useFittingDictionaries(labels, dictionaryId)
  if (verdict.kind === 'passed') return <CheckedWarnings verdict={verdict} />
  if (verdict.kind === 'rowErrors')
    return (
      <div>
        <CheckedErrors verdict={verdict} onCorrect={onCorrect} />
      </div>
    )
  return (
    <FileProblem
      problem={{ ...verdict.problem, otherDictionaries }}
      onDictionary={onDictionary}
      onCorrect={onCorrect && (() => onCorrect(null))}
    />
  )
}

const causesOf = (verdict: CheckedVerdict) =>
  verdict.kind === 'fileProblem'
    ? { causes: verdict.problem.causes ?? [], cellErrorCount: 0 }
    : { cellErrorCount: 0, causes: [], ...verdict }

const { ValidationFailed } = SubmissionStatus

/** Says that the same bytes were uploaded before, and what came of it. */
function EarlierHint({ id, createdAt, status, cellErrorCount }: EarlierUpload) {
  const text = texts.sameAsEarlier(formatDay(new Date(createdAt)), earlierOutcome(status, cellErrorCount))
  return (
    <p className={classes.line} data-tone="doubt">
      <IconHistory size={24} stroke={1.7} aria-hidden />
      <span>
        {text}
        {status === ValidationFailed && (
          <>
            {' '}
            <TextLink label={submissionMessages.viewErrors} to={paths.fileError(id)} inherit fw={600} />
          </>
        )}
      </span>
    </p>
  )
}

function earlierOutcome(status: SubmissionStatus, cellErrorCount: number | null): string | null {
  if (status === ValidationFailed)
    return cellErrorCount === null ? texts.earlierNotAccepted : texts.earlierErrors(cellErrorCount)
  return isSettled(status) ? texts.earlierAccepted : null
}
