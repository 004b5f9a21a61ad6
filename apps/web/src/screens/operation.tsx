import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Operation as OperationState, readOperation, retryStorage } from '@veridict/contract/api/admin'
import { operationMessages as texts, type Problem } from '@veridict/contract/messages/operation'
import { Link } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { type OperationLine, operationLines } from '#features/operation/operation-lines.ts'
import { UploadSwitches } from '#features/operation/upload-switches.tsx'
import { queryOf } from '#lib/http/query-of.ts'
import { useChange } from '#lib/http/use-change.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { BusyButton } from '#ui/forms/busy-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { relativeTime } from '#ui/text/format.ts'
import classes from './operation.module.css'

const REFRESH_MILLISECONDS = 10_000

/** The state of the portal for its operators: what is wrong first. See docs/BEHAVIOUR.md#operation. */
export function Operation() {
  const operation = useQuery({
    ...queryOf(readOperation, { quiet: true }),
    refetchInterval: REFRESH_MILLISECONDS,
  })
  const { data, isError } = operation
  return (
    <Page title={texts.title} lead={texts.lead} above={[crumbs.home]}>
      {data !== undefined ? (
        <State state={data} isStale={isError} />
      ) : isError ? (
        <LoadFailure isFramed what="The state of the portal" query={operation} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </Page>
  )
}

function State({ state, isStale }: { state: OperationState; isStale: boolean }) {
  const lines = operationLines(state)
  const ago = (at: string) => relativeTime(new Date(at), Date.parse(state.at)) ?? 'long ago'
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
        <BusyButton isBusy={retry.isPending} onClick={() => retry.mutate({ body: {} })}>
          {texts.retryAll}
        </BusyButton>
      )}
      {action === 'showMails' && (
        <Button component={Link} to={paths.mails} variant="default">
          {texts.showMails}
        </Button>
      )}
    </li>
  )
}
