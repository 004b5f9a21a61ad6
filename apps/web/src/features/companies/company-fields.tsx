import { Textarea, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { companyForm } from '@veridict/contract/forms/company'
import { proposeFolder } from '@veridict/contract/api/companies'
import { formMessages } from '@veridict/contract/messages/forms'
import { useEffect, useEffectEvent, useRef } from 'react'
import { queryOf } from '#lib/http/query-of.ts'

type CompanyValues = { name: string; containerName: string; address: string }

export const useCompanyForm = (initialValues: CompanyValues = { name: '', containerName: '', address: '' }) =>
  useForm<CompanyValues>({ initialValues, validate: schemaResolver(companyForm, { sync: true }) })

const TYPING_MILLISECONDS = 250
/** Of the name, for the folder. */
const MOST_LETTERS = 100

/** Writes a storage folder after the name of a new company, as long as no other was typed. */
export function useProposedFolder({ values, setFieldValue }: ReturnType<typeof useCompanyForm>): void {
  const proposed = useRef('')
  const [name] = useDebouncedValue(values.name.trim().slice(0, MOST_LETTERS), TYPING_MILLISECONDS)
  const { data } = useQuery({ ...queryOf(proposeFolder, { query: { name } }), enabled: name !== '' })
  const propose = useEffectEvent((folder: string) => {
    if (values.containerName !== proposed.current) return
    proposed.current = folder
    setFieldValue('containerName', folder)
  })
  useEffect(() => {
    if (data !== undefined) propose(data.containerName)
  }, [data])
}

/** The inputs of a company, for its screen and its dialog. */
export function CompanyFields({ form }: { form: ReturnType<typeof useCompanyForm> }) {
  return (
    <>
      <TextInput label="Name" autoFocus data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Storage folder"
        description="Accepted files of the company are kept in this folder."
        spellCheck={false}
        {...form.getInputProps('containerName')}
      />
      <Textarea
        label="Address"
        description={formMessages.optional}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('address')}
      />
    </>
  )
}
