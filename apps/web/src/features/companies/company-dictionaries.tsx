import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import {
  associateDictionary,
  type CompanyDictionaryItem,
  dissociateDictionary,
  listCompanyDictionaries,
} from '@veridict/contract/api/companies'
import { listDictionaries } from '@veridict/contract/api/dictionaries'
import { pageSizes } from '@veridict/contract/limits'
import { companyMessages } from '@veridict/contract/messages/companies'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { writeCount } from '@veridict/contract/notation/count'
import { useMemo } from 'react'
import { dictionaryPath } from '#app/paths.ts'
import { confirm } from '#lib/forms/confirm.ts'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { queryOf, useChange } from '#lib/http/query-of.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { actionsColumn, type Column, ListTable, TextAction } from '#ui/tables/data-table.tsx'
import { ActionButton, TextLink } from '#ui/forms/action-button.tsx'

const companyDictionariesQuery = (id: number) => queryOf(listCompanyDictionaries, { params: { id } })

/** See docs/BEHAVIOUR.md#companies-and-administrators. */
export function CompanyDictionaries({ companyId }: { companyId: number }) {
  const dictionaries = useQuery(companyDictionariesQuery(companyId))
  return (
    <Panel
      title="Data dictionaries"
      count={dictionaries.data?.length}
      actions={
        <ActionButton
          label="Associate data dictionary"
          variant="default"
          onClick={() => openDialog(AssociateDialog, { companyId })}
        />
      }
    >
      <ListTable
        label="Data dictionaries"
        what="The data dictionaries"
        columns={useDictionaryColumns(companyId)}
        query={dictionaries}
        rowKey={({ id }) => id}
        skeletonRows={2}
        empty={
          <NoticeBlock
            title={submissionMessages.empty}
            text="Until a data dictionary is associated, the company cannot upload files."
          />
        }
      />
    </Panel>
  )
}

const confirmRemoval = (name: string) =>
  confirm({
    title: 'Remove data dictionary',
    text:
      `The company will no longer be able to upload files against "${name}". ` +
      'The data dictionary itself is kept.',
    confirmLabel: 'Remove',
  })

function useDictionaryColumns(companyId: number): Column<CompanyDictionaryItem>[] {
  const { mutate: remove } = useChange(dissociateDictionary)
  const confirmAndRemove = async ({ id: dictionaryId, name }: CompanyDictionaryItem) => {
    if (await confirmRemoval(name)) remove({ params: { companyId, dictionaryId } })
  }
  return [
    {
      header: 'Name',
      lead: true,
      cell: ({ id, name }) => <TextLink label={name} to={dictionaryPath(id)} c="inherit" inherit />,
    },
    { header: 'Fields', width: '112px', align: 'end', cell: ({ fieldCount }) => writeCount(fieldCount) },
    actionsColumn('164px', (dictionary) => (
      <TextAction label="Remove" of={dictionary.name} onClick={() => void confirmAndRemove(dictionary)} />
    )),
  ]
}

type AssociateDialogProps = { companyId: number; onClose: () => void }

/** Options shown at once: rendering 10,000 took a second. */
const MOST_CHOICES = 100

function AssociateDialog({ companyId, onClose }: AssociateDialogProps) {
  const ofCompany = useQuery(companyDictionariesQuery(companyId))
  const dictionaries = useQuery(queryOf(listDictionaries, { query: { PageSize: pageSizes.max } }))
  const associate = useChange(associateDictionary)
  const form = useForm({
    initialValues: { dictionaryId: null as string | null },
    validate: { dictionaryId: (id) => (id === null ? companyMessages.selectDictionary : null) },
  })
  const choices = useMemo(() => {
    const associated = new Set(ofCompany.data?.map(({ id }) => id))
    const others = (dictionaries.data?.data ?? []).filter(({ id }) => !associated.has(id))
    return others.map(({ id, dataDictionaryName }) => ({ value: String(id), label: dataDictionaryName }))
  }, [dictionaries.data, ofCompany.data])
  const hasNone = dictionaries.isSuccess && choices.length === 0
  return (
    <FormDialog
      title="Associate data dictionary"
      form={form}
      asks={false}
      canSave={!hasNone}
      isSaving={associate.isPending}
      onClose={onClose}
      onSave={({ dictionaryId }) => {
        const body = { companyId, dataDictionaryId: Number(dictionaryId) }
        associate.mutate({ body }, { onSuccess: onClose })
      }}
    >
      <Select
        label="Data dictionary"
        description={hasNone ? companyMessages.nothingToAssociate : hintFor(choices.length)}
        placeholder="Select a data dictionary"
        data={choices}
        limit={MOST_CHOICES}
        searchable
        data-autofocus
        openOnFocus={false}
        nothingFoundMessage={dictionaries.isPending ? 'Loading…' : 'No such data dictionary'}
        disabled={hasNone}
        {...form.getInputProps('dictionaryId')}
      />
    </FormDialog>
  )
}

const hintFor = (count: number) =>
  count > MOST_CHOICES ? `Type to find one of ${writeCount(count)}.` : undefined
