import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { companyMessages } from '@veridict/contract/messages/companies'
import { FormDialog } from '#ui/form-dialog.tsx'
import { allDictionariesQuery, useAssociateDictionary } from './api.ts'

export type AssociateDialogProps = { companyId: number; associatedIds: number[]; onClose: () => void }

/** Chooses one of the dictionaries that the company does not have yet. Spec §2, §5. */
export function AssociateDialog({ companyId, associatedIds, onClose }: AssociateDialogProps) {
  const dictionaries = useQuery(allDictionariesQuery)
  const associate = useAssociateDictionary(companyId)
  const form = useForm({
    initialValues: { dictionaryId: null as string | null },
    validate: { dictionaryId: (id) => (id === null ? companyMessages.selectDictionary : null) },
  })
  const choices = (dictionaries.data?.data ?? []).filter(({ id }) => !associatedIds.includes(id))
  return (
    <FormDialog
      isOpen
      title="Associate data dictionary"
      canSave
      isSaving={associate.isPending}
      onClose={onClose}
      onSubmit={form.onSubmit(({ dictionaryId }) => associate.mutate(Number(dictionaryId), { onSuccess: onClose }))}
    >
      <Select
        label="Data dictionary"
        placeholder="Select a data dictionary"
        data={choices.map(({ id, dataDictionaryName }) => ({ value: String(id), label: dataDictionaryName }))}
        searchable
        nothingFoundMessage={dictionaries.isPending ? 'Loading…' : 'No further data dictionary'}
        allowDeselect={false}
        {...form.getInputProps('dictionaryId')}
      />
    </FormDialog>
  )
}
