import { NumberInput, Radio, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { companyTokenForm } from '@veridict/contract/forms/company-token'
import { companyTokenLimits } from '@veridict/contract/limits'
import { companyTokenMessages as texts } from '@veridict/contract/messages/company-tokens'
import { type TokenScope, tokenScopes } from '@veridict/contract/model/token-scope'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { useCreateToken } from './api-access.ts'
import classes from './company-tokens.module.css'

const SUGGESTED_DAYS = 90

export type TokenDialogProps = {
  companyId: number
  onClose: () => void
  onCreated: (created: { name: string; token: string }) => void
}

/** Name, rights and life of a new token. */
export function TokenDialog({ companyId, onClose, onCreated }: TokenDialogProps) {
  const create = useCreateToken(companyId)
  const form = useForm<{ name: string; scope: TokenScope; expiresInDays: number | string }>({
    initialValues: { name: '', scope: 'both', expiresInDays: SUGGESTED_DAYS },
    validate: schemaResolver(companyTokenForm, { sync: true }),
  })
  return (
    <FormDialog
      title={texts.create}
      saveLabel="Create"
      canSave={form.isDirty()}
      isSaving={create.isPending}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        create.mutate(companyTokenForm.parse(values), {
          onSuccess: (created) => {
            onClose()
            onCreated(created)
          },
        }),
      )}
    >
      <TextInput
        label={texts.nameLabel}
        description={texts.nameHint}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label={texts.scopeLabel} {...form.getInputProps('scope')}>
        <Stack gap="xs" mt={6}>
          {tokenScopes.map((scope) => (
            <Radio
              key={scope}
              value={scope}
              label={texts.scopes[scope]}
              description={texts.scopeHints[scope]}
              classNames={{ description: classes.hint }}
            />
          ))}
        </Stack>
      </Radio.Group>
      <NumberInput
        label={texts.daysLabel}
        min={1}
        max={companyTokenLimits.maxDays}
        allowDecimal={false}
        {...form.getInputProps('expiresInDays')}
      />
    </FormDialog>
  )
}
