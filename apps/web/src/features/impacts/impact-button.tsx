import { Progress } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { BodyInput } from '@veridict/contract/api/endpoint'
import { announceRule, type Impact, readImpact, tryImpact } from '@veridict/contract/api/impacts'
import { impactMessages as texts } from '@veridict/contract/messages/impacts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { useState } from 'react'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/query-of.ts'
import { Loaded } from '#ui/feedback/load-failure.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { DayField } from '#ui/forms/day-field.tsx'
import { TallModal } from '#ui/layout/tall-modal.tsx'
import { type Column, DataTable, TimeStamp } from '#ui/tables/data-table.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { Count } from '#ui/text/count.tsx'
import { Tag } from '#ui/text/tag.tsx'
import classes from './impact-button.module.css'

const ASK_MILLISECONDS = 1000
const MOST_FILES = 20
const DAY = 24 * 60 * 60 * 1000
/** Days until which a rule is proposed to be a warning. */
const NOTICE_DAYS = 30

/** What a form would save. */
type TriedDraft = {
  body: BodyInput<typeof tryImpact>
  /** The rule of the form, saved as a warning until a day if wanted; `version` is the ETag of the rules. */
  announced?: { rule: RowRule; version: string | null; onSaved: () => void }
}

type ImpactButtonProps = {
  dictionaryId: number
  /** null where the form shows what is wrong with it. */
  draft: () => Promise<TriedDraft | null>
  isDisabled: boolean
}

/** Tries on the last uploads what a form would save. See docs/BEHAVIOUR.md#impact. */
export function ImpactButton({ dictionaryId, draft, isDisabled }: ImpactButtonProps) {
  const begin = useMutation({
    mutationFn: async () => {
      const tried = await draft()
      if (tried === null) return null
      const params = { id: dictionaryId }
      const { id: impactId } = await call(tryImpact, { params, body: tried.body })
      return { place: { ...params, impactId }, announced: tried.announced }
    },
  })
  return (
    <>
      <ActionButton
        label={texts.question}
        variant="default"
        className={classes.button}
        disabled={isDisabled}
        isBusy={begin.isPending}
        onClick={() => begin.mutate()}
      />
      {begin.data && <ImpactDialog {...begin.data} onClose={begin.reset} />}
    </>
  )
}

type Place = { id: number; impactId: number }
type ImpactDialogProps = { place: Place; announced: TriedDraft['announced']; onClose: () => void }

function ImpactDialog({ place, announced, onClose }: ImpactDialogProps) {
  const impact = useQuery({
    queryKey: ['impact', place],
    queryFn: ({ signal }) => call(readImpact, { params: place, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : ASK_MILLISECONDS),
  })
  const { data } = impact
  const files = data?.companies.flatMap((company) => company.files) ?? []
  const isUnmet = files.some(({ causes }) => causes.some(({ rule }) => rule === announced?.rule.name))
  return (
    <TallModal
      onClose={onClose}
      title={texts.question}
      label={texts.question}
      width={920}
      foot={
        data?.state === 'done' && announced?.rule.severity === 'error' && isUnmet ? (
          <Announcement place={place} announced={announced} />
        ) : (
          <ActionButton label="Close" variant="default" onClick={onClose} />
        )
      }
    >
      <div className={classes.content}>
        <p className={classes.lead}>{texts.lead}</p>
        <Loaded what="The result" query={impact} skeleton={<Trying tried={0} />}>
          {(tried) => <Outcome impact={tried} rule={announced?.rule} />}
        </Loaded>
      </div>
    </TallModal>
  )
}

const Trying = ({ tried }: { tried: number }) => (
  <>
    <p role="status">{texts.trying(tried)}</p>
    <Progress value={(100 * tried) / MOST_FILES} aria-label={texts.question} />
  </>
)

function Outcome({ impact, rule }: { impact: Impact; rule: RowRule | undefined }) {
  const { state, filesTried, filesNotTried } = impact
  if (state === 'running') return <Trying tried={filesTried} />
  if (filesTried === 0) return <p role="status">{texts.nothing}</p>
  const files = impact.companies.flatMap(({ name: company, files: ofCompany }) =>
    ofCompany.map((file) => ({ company, ...file })),
  )
  const refused = files.filter(isRefused)
  // Without new errors, what is saved refuses the file, too.
  const known = refused.filter((file) => file.newErrors === 0 && !isAsWhole(file)).length
  const isWarning = (cause: FoundCause) => cause.severity === 'warning' && cause.rule === rule?.name
  const warned = files.filter(({ causes }) => causes.some(isWarning))
  const from = rule?.severity === 'error' ? rule.from : undefined
  return (
    <>
      <p role="status" className={classes.outcome} data-bad={refused.length > 0 || undefined}>
        <strong>{texts.refused(refused.length, filesTried)}</strong>
        {refused.length > 0 ? <Found files={refused} isShown={isError} /> : '.'}
        {known > 0 && `. ${texts.refusedAlready(known)}`}
      </p>
      {warned.length > 0 && (
        <p className={classes.outcome} data-warn>
          <strong>{texts.warned(warned.length, filesTried, from)}</strong>
          <Found files={warned} isShown={isWarning} />
        </p>
      )}
      {filesNotTried > 0 && <p>{texts.notTried(filesNotTried)}</p>}
      <DataTable
        label={texts.files}
        columns={columns}
        rows={files}
        rowKey={({ submissionId }) => submissionId}
        empty={null}
      />
    </>
  )
}

type TriedFile = Impact['companies'][number]['files'][number] & { company: string }
type FoundCause = TriedFile['causes'][number]
const wasAccepted = ({ statusBefore }: TriedFile) => statusBefore !== SubmissionStatus.ValidationFailed
const isRefused = (file: TriedFile) => wasAccepted(file) && !file.acceptedAfter
const isAsWhole = ({ causes }: TriedFile) => causes.every(({ cells }) => cells === 0)
const isError = ({ severity }: FoundCause) => severity === 'error'

/** How many cells of which columns, and the companies. */
function Found({ files, isShown }: { files: TriedFile[]; isShown: (cause: FoundCause) => boolean }) {
  const asWhole = files.filter(isAsWhole).length
  const cells = new Map<string, number>()
  for (const { label, rule, kind, cells: count } of files.flatMap(({ causes }) => causes).filter(isShown)) {
    const name = label ?? rule ?? kind
    if (count > 0) cells.set(name, (cells.get(name) ?? 0) + count)
  }
  const parts = [
    ...(asWhole === 0 ? [] : [texts.asWhole(asWhole)]),
    ...[...cells].map(([name, count]) => (
      <span key={name}>
        {texts.cellsIn(count)}
        <em>{name}</em>
      </span>
    )),
    new Intl.ListFormat('en-GB').format(new Set(files.map(({ company }) => company))),
  ]
  return (
    <>
      {parts.map((part, index) => (
        <span key={index}>
          {index === 0 ? ': ' : ', '}
          {part}
        </span>
      ))}
    </>
  )
}

const columns: Column<TriedFile>[] = [
  { header: texts.columns.file, lead: true, cell: (file) => <BreakableName name={file.fileName} /> },
  { header: texts.columns.company, cell: (file) => file.company },
  { header: 'Uploaded', width: '188px', cell: (file) => <TimeStamp at={file.uploadedAt} /> },
  {
    header: texts.columns.verdict,
    width: '176px',
    cell: (file) => (
      <Tag
        text={texts.verdict([wasAccepted(file), file.acceptedAfter])}
        tone={isRefused(file) ? 'brand' : 'quiet'}
      />
    ),
  },
  {
    header: texts.columns.new,
    align: 'end',
    width: '116px',
    cell: (file) => <Count count={file.newErrors} />,
  },
  { header: texts.columns.gone, align: 'end', width: '122px', cell: (file) => <Count count={file.gone} /> },
]

type AnnouncementProps = { place: Place; announced: NonNullable<TriedDraft['announced']> }

const dayIn = (days: number) => utcDay(new Date(Date.now() + days * DAY))

/** Saves the rule as a warning until a day. */
function Announcement({ place, announced: { rule, version, onSaved } }: AnnouncementProps) {
  const [from, setFrom] = useState(() => (rule.from && rule.from > dayIn(0) ? rule.from : dayIn(NOTICE_DAYS)))
  const announce = useChange(announceRule)
  return (
    <div className={classes.announcement}>
      <DayField
        label={texts.until}
        description={texts.untilHint}
        minDate={dayIn(1)}
        value={from}
        onChange={setFrom}
      />
      <ActionButton
        label={texts.announce}
        disabled={from < dayIn(1)}
        isBusy={announce.isPending}
        onClick={() =>
          announce.mutate({ params: place, body: { rule: rule.name, from, version } }, { onSuccess: onSaved })
        }
      />
    </div>
  )
}
