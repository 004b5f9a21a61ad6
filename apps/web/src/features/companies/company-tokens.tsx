import { NumberInput, Radio, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type CompanyTokenItem,
  createCompanyToken,
  listCompanyTokens,
  revokeCompanyToken,
} from '@veridict/contract/api/company-tokens'
import { companyTokenForm } from '@veridict/contract/forms/company-token'
import { companyTokenLimits } from '@veridict/contract/limits'
import { companyTokenMessages as texts } from '@veridict/contract/messages/company-tokens'
import { type TokenScope, tokenScopes } from '@veridict/contract/model/token-scope'
import { confirm } from '#lib/forms/confirm.ts'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { queryOf, useChange } from '#lib/http/query-of.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Panel } from '#ui/layout/page.tsx'
import {
  actionsColumn,
  type Column,
  ListTable,
  TextAction,
  TimeStamp,
  useNow,
} from '#ui/tables/data-table.tsx'
import { formatTime } from '#ui/text/format.ts'
import { Tag } from '#ui/text/tag.tsx'
import classes from './company-tokens.module.css'
import { showSecret } from './secret-dialog.tsx'

/** The tokens with which programs upload or read for a company. See docs/BEHAVIOUR.md#tokens. */
export function CompanyTokens({ companyId }: { companyId: number }) {
  const tokens = useQuery(queryOf(listCompanyTokens, { params: { id: companyId } }))
  return (
    <Panel
      title={texts.title}
      count={tokens.data?.length}
      actions={
        <ActionButton
          label={texts.create}
          variant="default"
          Icon={IconPlus}
          onClick={() => openDialog(TokenDialog, { companyId })}
        />
      }
    >
      <ListTable
        label={texts.title}
        what="The tokens"
        columns={useTokenColumns(companyId)}
        query={tokens}
        rowKey={({ id }) => id}
        skeletonRows={1}
        empty={<NoticeBlock title={texts.none} text={texts.noneText} />}
      />
    </Panel>
  )
}

const confirmRevocation = (name: string) =>
  confirm({ title: texts.revokeTitle, text: texts.revokeText(name), confirmLabel: texts.revoke })

function useTokenColumns(companyId: number): Column<CompanyTokenItem>[] {
  const { mutate: revoke } = useChange(revokeCompanyToken)
  const confirmAndRevoke = async ({ id: tokenId, name }: CompanyTokenItem) => {
    if (await confirmRevocation(name)) revoke({ params: { id: companyId, tokenId } })
  }
  return [
    { header: texts.nameLabel, lead: true, cell: ({ name }) => name },
    { header: texts.scopeLabel, width: '160px', cell: ({ scope }) => texts.scopes[scope] },
    { header: 'Created', width: '170px', cell: ({ createdAt }) => <TimeStamp at={createdAt} /> },
    {
      header: texts.creatorLabel,
      width: '190px',
      cell: ({ createdBy }) => <span className={classes.creator}>{createdBy ?? texts.creatorUnknown}</span>,
    },
    { header: 'Expires', width: '170px', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
    {
      header: 'Last used',
      width: '170px',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.neverUsed : <TimeStamp at={lastUsedAt} />),
    },
    actionsColumn('110px', (token) => (
      <TextAction label={texts.revoke} of={token.name} onClick={() => void confirmAndRevoke(token)} />
    )),
  ]
}

function Expiry({ at }: { at: string }) {
  const isOver = useNow() > Date.parse(at)
  return (
    <span className={classes.expiry}>
      <time dateTime={at}>{formatTime(new Date(at))}</time>
      {isOver && <Tag text={texts.expired} />}
    </span>
  )
}

const SUGGESTED_DAYS = 90

const showToken = ({ name: label, token: secret }: { name: string; token: string }) =>
  showSecret({ title: texts.shownOnceTitle, text: texts.shownOnceText, label, secret })

/** The dialog of the new token takes the place of this one. */
function TokenDialog({ companyId, onClose }: { companyId: number; onClose: () => void }) {
  const create = useChange(createCompanyToken)
  const form = useForm<{ name: string; scope: TokenScope; expiresInDays: number | string }>({
    initialValues: { name: '', scope: 'both', expiresInDays: SUGGESTED_DAYS },
    validate: schemaResolver(companyTokenForm, { sync: true }),
  })
  return (
    <FormDialog
      title={texts.create}
      saveLabel="Create"
      form={form}
      asks={false}
      isSaving={create.isPending}
      onClose={onClose}
      onSave={(values) => {
        const body = companyTokenForm.parse(values)
        create.mutate({ params: { id: companyId }, body }, { onSuccess: showToken })
      }}
    >
      <TextInput
        label={texts.nameLabel}
        description={texts.nameHint}
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
