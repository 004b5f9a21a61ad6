import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle, IconCheck, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type Operation as OperationState,
  readOperation,
  retryStorage,
  setMaintenance,
} from '@veridict/contract/api/admin'
import { pauseCompany } from '@veridict/contract/api/companies'
import { maintenanceLimits } from '@veridict/contract/limits'
import { operationMessages as texts, type Problem } from '@veridict/contract/messages/operation'
import { counted } from '@veridict/contract/notation/count'
import { crumbs, paths } from '#app/paths.ts'
import { type OperationLine, operationLines } from '#features/operation/operation-lines.ts'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { queryOf, useChange } from '#lib/http/query-of.ts'
import { Loaded } from '#ui/feedback/load-failure.tsx'
import { ActionButton, TextButton, TextLink } from '#ui/forms/action-button.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Facts, Page, Panel } from '#ui/layout/page.tsx'
import { agoOf, formatTime } from '#ui/text/format.ts'
import classes from './operation.module.css'

const REFRESH_MILLISECONDS = 10_000

/** The state of the portal for its operators: what is wrong first. See docs/BEHAVIOUR.md#operation. */
export function Operation() {
  const operation = useQuery({
    ...queryOf(readOperation, { quiet: true }),
    refetchInterval: REFRESH_MILLISECONDS,
  })
  return (
    <Page title={texts.title} lead={texts.lead} above={[crumbs.home]}>
      <Loaded isFramed what="The state of the portal" query={operation} skeleton={8}>
        {(state) => <State state={state} isStale={operation.isError} />}
      </Loaded>
    </Page>
  )
}

function State({ state, isStale }: { state: OperationState; isStale: boolean }) {
  const lines = operationLines(state)
  const ago = agoOf(Date.parse(state.at))
  const problems = lines.flatMap(({ problem, action }) => (problem ? [{ ...problem, action }] : []))
  const isWell = problems.length === 0 && !isStale
  const Icon = isWell ? IconCircleCheck : IconAlertTriangle
  return (
    <>
      <div role="status" className={classes.verdict} data-well={isWell || undefined}>
        <Icon size={26} stroke={1.7} aria-hidden />
        <h2>
          {problems.length === 0 ? (isStale ? texts.stale : texts.allWell) : texts.problems(problems.length)}
        </h2>
      </div>
      {isStale && problems.length > 0 && <p className={classes.stale}>{texts.stale}</p>}
      <ul className={classes.problems}>
        {problems.map((problem) => (
          <ProblemItem key={problem.runbook} {...problem} />
        ))}
      </ul>
      <UploadSwitches maintenance={state.maintenance} paused={state.paused} />
      <Panel title="State">
        <Facts facts={lines.filter(({ problem }) => problem === undefined).map(quietFact)} />
      </Panel>
      <Panel title="Programs" count={state.servers.length}>
        <Facts
          facts={state.servers.map(({ id, role, version, seenAt }) => ({
            name: role.replace('+', ' and '),
            value: `${id}, version ${version}, seen ${ago(seenAt)}`,
          }))}
        />
      </Panel>
    </>
  )
}

const quietFact = ({ name, value }: OperationLine) => ({
  name,
  value: (
    <span className={classes.quiet}>
      <IconCheck size={17} stroke={2} aria-hidden />
      {value}
    </span>
  ),
})

function ProblemItem({ title, text, runbook, action }: Problem & Pick<OperationLine, 'action'>) {
  const retry = useChange(retryStorage)
  return (
    <li className={classes.problem}>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        <p className={classes.runbook}>{texts.runbook(runbook)}</p>
      </div>
      {action === 'retry' && (
        <ActionButton
          label={texts.retryAll}
          isBusy={retry.isPending}
          onClick={() => retry.mutate({ body: {} })}
        />
      )}
      {action === 'showMails' && <ActionButton label={texts.showMails} to={paths.mails} variant="default" />}
    </li>
  )
}

/** What stops uploads: maintenance mode, and the pauses of companies. */
function UploadSwitches({ maintenance, paused }: Pick<OperationState, 'maintenance' | 'paused'>) {
  const { mutate: set, isPending } = useChange(setMaintenance)
  const { mutate: pause, isPending: isChanging } = useChange(pauseCompany)
  return (
    <Panel title="Uploads">
      <Facts
        facts={[
          {
            name: texts.maintenance,
            value: maintenance === null ? texts.maintenanceOff : `On: ${maintenance}`,
            action:
              maintenance === null ? (
                <TextButton label={texts.switchOn} onClick={() => openDialog(MaintenanceDialog, {})} />
              ) : (
                <TextButton
                  label={texts.switchOff}
                  disabled={isPending}
                  onClick={() => set({ body: { on: false } })}
                />
              ),
          },
          ...paused.map(({ id, name, pausedAt, waiting }) => ({
            name: <TextLink label={name} to={paths.companyEdit(id)} inherit />,
            value:
              `${texts.pausedSince(formatTime(new Date(pausedAt)))}; ` +
              `${counted(waiting, 'file waits', 'files wait')}.`,
            action: (
              <TextButton
                label={texts.resume}
                aria-label={`${texts.resume}: ${name}`}
                disabled={isChanging}
                onClick={() => pause({ params: { id }, body: { on: false } })}
              />
            ),
          })),
        ]}
      />
    </Panel>
  )
}

function MaintenanceDialog({ onClose }: { onClose: () => void }) {
  const set = useChange(setMaintenance)
  const form = useForm({
    initialValues: { message: '' },
    validate: { message: (message) => (message.trim() === '' ? texts.messageRequired : null) },
  })
  return (
    <FormDialog
      title={texts.maintenance}
      saveLabel={texts.switchOn}
      form={form}
      asks={false}
      canSave
      isSaving={set.isPending}
      onClose={onClose}
      onSave={({ message }) => set.mutate({ body: { on: true, message } }, { onSuccess: onClose })}
    >
      <Textarea
        label={texts.messageLabel}
        description={texts.messageHint}
        placeholder={texts.messageExample}
        autosize
        minRows={3}
        maxLength={maintenanceLimits.maxMessageLength}
        data-autofocus
        {...form.getInputProps('message')}
      />
    </FormDialog>
  )
}
