import { Textarea, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { companyForm } from '@veridict/contract/forms/company'
import { formMessages } from '@veridict/contract/messages/forms'

type CompanyValues = { name: string; containerName: string; address: string }

export const useCompanyForm = (initialValues: CompanyValues = { name: '', containerName: '', address: '' }) =>
  useForm<CompanyValues>({ initialValues, validate: schemaResolver(companyForm, { sync: true }) })

/** The inputs of a company, for its screen and its dialog. */
export function CompanyFields({ form }: { form: ReturnType<typeof useCompanyForm> }) {
  return (
    <>
      <TextInput label="Name" autoComplete="off" autoFocus data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Storage folder"
        description="Accepted files of the company are kept in this folder."
        autoComplete="off"
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
