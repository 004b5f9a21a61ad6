import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { companyMessages } from '@veridict/contract/messages/companies'
import { writeCount } from '@veridict/contract/notation/count'
import { useMemo } from 'react'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { allDictionariesQuery, useAssociateDictionary } from './api.ts'

export type AssociateDialogProps = { companyId: number; associatedIds: number[]; onClose: () => void }

/** Options shown at once: rendering 10,000 took a second. */
const MOST_CHOICES = 100

/** Chooses one of the dictionaries that the company does not have yet. */
export function AssociateDialog({ companyId, associatedIds, onClose }: AssociateDialogProps) {
  const dictionaries = useQuery(allDictionariesQuery)
  const associate = useAssociateDictionary(companyId)
  const form = useForm({
    initialValues: { dictionaryId: null as string | null },
    validate: { dictionaryId: (id) => (id === null ? companyMessages.selectDictionary : null) },
  })
  const choices = useMemo(() => {
    const associated = new Set(associatedIds)
    const others = (dictionaries.data?.data ?? []).filter(({ id }) => !associated.has(id))
    return others.map(({ id, dataDictionaryName }) => ({ value: String(id), label: dataDictionaryName }))
  }, [dictionaries.data, associatedIds])
  const hasNone = dictionaries.isSuccess && choices.length === 0
  return (
    <FormDialog
      title="Associate data dictionary"
      canSave={!hasNone}
      isSaving={associate.isPending}
      onClose={onClose}
      onSubmit={form.onSubmit(({ dictionaryId }) =>
        associate.mutate(Number(dictionaryId), { onSuccess: onClose }),
      )}
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
        allowDeselect={false}
        {...form.getInputProps('dictionaryId')}
      />
    </FormDialog>
  )
}

const hintFor = (count: number) =>
  count > MOST_CHOICES ? `Type to find one of ${writeCount(count)}.` : undefined
