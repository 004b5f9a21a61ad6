import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { readWebhook, setWebhook, testWebhook } from '@veridict/contract/api/webhooks'
import { webhookForm } from '@veridict/contract/forms/webhook'
import { webhookMessages as texts } from '@veridict/contract/messages/webhooks'
import { useState } from 'react'
import { confirm } from '#lib/forms/confirm.ts'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { call } from '#lib/http/client.ts'
import { queryOf, useChange } from '#lib/http/query-of.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Facts, Panel } from '#ui/layout/page.tsx'
import classes from './company-webhook.module.css'
import { SecretDialog } from './secret-dialog.tsx'

/** The address to which the results of a company's files are sent. See docs/BEHAVIOUR.md#webhook. */
export function CompanyWebhook({ companyId }: { companyId: number }) {
  const webhook = useQuery(queryOf(readWebhook, { params: { id: companyId } }))
  const [isEditing, setIsEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const url = webhook.data?.url
  return (
    <Panel
      title={texts.title}
      actions={
        url !== undefined && (
          <ActionButton
            label={url === null ? texts.setUp : texts.change}
            variant="default"
            onClick={() => setIsEditing(true)}
          />
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
  const params = { id: companyId }
  const test = useMutation({ mutationFn: () => call(testWebhook, { params }) })
  const set = useChange(setWebhook)
  const confirmAndRemove = async () => {
    const isAgreed = await confirm({
      title: texts.removeTitle,
      text: texts.removeText,
      confirmLabel: texts.remove,
    })
    if (isAgreed) set.mutate({ params, body: { url: null } })
  }
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      <Facts facts={[{ name: texts.addressLabel, value: url }]} />
      {waiting !== undefined && waiting.waitingCount > 0 && (
        <p className={classes.waiting}>{texts.waiting(waiting.waitingCount, waiting.lastProblem)}</p>
      )}
      <div className={classes.actions}>
        <ActionButton
          label={texts.test}
          variant="default"
          isBusy={test.isPending}
          onClick={() => test.mutate()}
        />
        <ActionButton label={texts.remove} variant="subtle" onClick={() => void confirmAndRemove()} />
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

type WebhookDialogProps = {
  companyId: number
  url: string
  onClose: () => void
  onSet: (secret: string | null) => void
}

/** The address of a webhook. The server decides whether something may be sent there. */
function WebhookDialog({ companyId, url, onClose, onSet }: WebhookDialogProps) {
  const set = useChange(setWebhook)
  const form = useForm({
    initialValues: { url },
    validate: schemaResolver(webhookForm, { sync: true }),
  })
  return (
    <FormDialog
      title={url === '' ? texts.setUp : `${texts.change} webhook`}
      form={form}
      asks={false}
      canSave={form.values.url.trim() !== ''}
      isSaving={set.isPending}
      onClose={onClose}
      onSave={(values) =>
        set.mutate(
          { params: { id: companyId }, body: { url: values.url.trim() } },
          {
            onSuccess: ({ secret }) => {
              onClose()
              onSet(secret)
            },
            onError: (failure) => form.setErrors({ url: fieldErrorsOf(failure).url?.[0] }),
          },
        )
      }
    >
      <TextInput
        label={texts.addressLabel}
        description={texts.newSecretHint}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        placeholder="https://example.com/hooks"
        {...form.getInputProps('url')}
      />
    </FormDialog>
  )
}
