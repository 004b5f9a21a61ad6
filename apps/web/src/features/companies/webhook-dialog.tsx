import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { webhookForm } from '@veridict/contract/forms/webhook'
import { webhookMessages as texts } from '@veridict/contract/messages/webhooks'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { useSetWebhook } from './api-access.ts'

export type WebhookDialogProps = {
  companyId: number
  url: string
  onClose: () => void
  onSet: (secret: string | null) => void
}

/** The address of a webhook. The server decides whether something may be sent there. */
export function WebhookDialog({ companyId, url, onClose, onSet }: WebhookDialogProps) {
  const set = useSetWebhook(companyId)
  const form = useForm({
    initialValues: { url },
    validate: schemaResolver(webhookForm, { sync: true }),
  })
  return (
    <FormDialog
      title={url === '' ? texts.setUp : `${texts.change} webhook`}
      canSave={form.values.url.trim() !== ''}
      isSaving={set.isPending}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        set.mutate(values.url.trim(), {
          onSuccess: ({ secret }) => {
            onClose()
            onSet(secret)
          },
          onError: (failure) => form.setErrors({ url: fieldErrorsOf(failure).url?.[0] }),
        }),
      )}
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
