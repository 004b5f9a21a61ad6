import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { readWebhook, setWebhook, testWebhook } from '@veridict/contract/api/webhooks'
import { webhookForm } from '@veridict/contract/forms/webhook'
import { webhookMessages as texts } from '@veridict/contract/messages/webhooks'
import { confirm } from '#lib/forms/confirm.ts'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { call } from '#lib/http/client.ts'
import { queryOf, useChange } from '#lib/http/query-of.ts'
import { Loaded } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Facts, Panel } from '#ui/layout/page.tsx'
import classes from './company-webhook.module.css'
import { showSecret } from './secret-dialog.tsx'

/** The address to which the results of a company's files are sent. See docs/BEHAVIOUR.md#webhook. */
export function CompanyWebhook({ companyId }: { companyId: number }) {
  const webhook = useQuery(queryOf(readWebhook, { params: { id: companyId } }))
  const url = webhook.data?.url
  return (
    <Panel
      title={texts.title}
      actions={
        url !== undefined && (
          <ActionButton
            label={url === null ? texts.setUp : texts.change}
            variant="default"
            onClick={() => openDialog(WebhookDialog, { companyId, url: url ?? '' })}
          />
        )
      }
    >
      <Loaded isFramed what="The webhook" query={webhook} skeleton={<></>}>
        {({ url, ...waiting }) =>
          url === null ? (
            <NoticeBlock isFramed title={texts.none} text={texts.noneText} />
          ) : (
            <Address key={url} companyId={companyId} url={url} {...waiting} />
          )
        }
      </Loaded>
    </Panel>
  )
}

type AddressProps = { companyId: number; url: string; waitingCount: number; lastProblem: string | null }

function Address({ companyId, url, waitingCount, lastProblem }: AddressProps) {
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
      {waitingCount > 0 && <p className={classes.waiting}>{texts.waiting(waitingCount, lastProblem)}</p>}
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

const secretTexts = { title: texts.shownOnceTitle, text: texts.shownOnceText, label: texts.secretLabel }

type WebhookDialogProps = { companyId: number; url: string; onClose: () => void }

/** The address of a webhook. The server decides whether something may be sent there. */
function WebhookDialog({ companyId, url, onClose }: WebhookDialogProps) {
  const set = useChange(setWebhook)
  const form = useForm({ initialValues: { url }, validate: schemaResolver(webhookForm, { sync: true }) })
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
            onSuccess: ({ secret }) => (secret === null ? onClose() : showSecret({ ...secretTexts, secret })),
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
        spellCheck={false}
        data-autofocus
        placeholder="https://example.com/hooks"
        {...form.getInputProps('url')}
      />
    </FormDialog>
  )
}
