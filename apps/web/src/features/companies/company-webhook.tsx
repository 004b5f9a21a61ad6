import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { webhookMessages as texts } from '@veridict/contract/messages/webhooks'
import { useState } from 'react'
import { confirm } from '#lib/forms/confirm.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { useSetWebhook, useTestWebhook, webhookQuery } from './api-access.ts'
import classes from './company-webhook.module.css'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

/** The address to which the results of a company's files are sent. See docs/BEHAVIOUR.md#webhook. */
export function CompanyWebhook({ companyId }: { companyId: number }) {
  const webhook = useQuery(webhookQuery(companyId))
  const [isEditing, setIsEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const url = webhook.data?.url
  return (
    <Panel
      title={texts.title}
      actions={
        url !== undefined && (
          <Button variant="default" onClick={() => setIsEditing(true)}>
            {url === null ? texts.setUp : texts.change}
          </Button>
        )
      }
    >
      {webhook.isError && webhook.data === undefined && (
        <LoadFailure isFramed what="The webhook" query={webhook} />
      )}
      {url === null && <NoticeBlock isFramed title={texts.none} text={texts.noneText} />}
      {typeof url === 'string' && (
        <Address key={url} companyId={companyId} url={url} waiting={webhook.data} />
      )}
      {isEditing && (
        <WebhookDialog
          companyId={companyId}
          url={url ?? ''}
          onClose={() => setIsEditing(false)}
          onSet={setSecret}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title={texts.shownOnceTitle}
          text={texts.shownOnceText}
          label={texts.secretLabel}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Panel>
  )
}

type AddressProps = {
  companyId: number
  url: string
  waiting: { waitingCount: number; lastProblem: string | null } | undefined
}

function Address({ companyId, url, waiting }: AddressProps) {
  const test = useTestWebhook(companyId)
  const set = useSetWebhook(companyId)
  const confirmAndRemove = async () => {
    const isAgreed = await confirm({
      title: texts.removeTitle,
      text: texts.removeText,
      confirmLabel: texts.remove,
    })
    if (isAgreed) set.mutate(null)
  }
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <Facts facts={[{ name: texts.addressLabel, value: url }]} />
      {waiting !== undefined && waiting.waitingCount > 0 && (
        <p className={classes.waiting}>{texts.waiting(waiting.waitingCount, waiting.lastProblem)}</p>
      )}
      <div className={classes.actions}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {texts.test}
        </Button>
        <Button variant="subtle" onClick={() => void confirmAndRemove()}>
          {texts.remove}
        </Button>
        <span
          role="status"
          className={classes.result}
          data-delivered={isDelivered(test.data?.status ?? null)}
        >
          {test.data !== undefined && !test.isPending && resultOf(test.data)}
        </span>
      </div>
    </>
  )
}

const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status < 300

const resultOf = ({ status, problem }: { status: number | null; problem: string | null }): string => {
  if (status === null) return problem ?? ''
  return isDelivered(status) ? texts.testDelivered(status) : texts.testRefused(status)
}
