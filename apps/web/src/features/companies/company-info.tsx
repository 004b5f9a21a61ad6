import { Anchor } from '@mantine/core'
import { companyForm } from '@veridict/contract/forms/company'
import { useState } from 'react'
import { closeUnlessKept } from '#lib/forms/use-dirty-guard.ts'
import { Facts } from '#ui/facts.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { useUpdateCompany } from './api.ts'
import { CompanyFields, type CompanyValues, useCompanyForm } from './company-fields.tsx'

export type CompanyInfoProps = { id: number; company: CompanyValues }

/** What is known of a company, and the way to change it. Spec §2. */
export function CompanyInfo({ id, company }: CompanyInfoProps) {
  const [isEditing, setIsEditing] = useState(false)
  return (
    <Panel
      title="Company info"
      actions={
        <Anchor component="button" type="button" fw={600} onClick={() => setIsEditing(true)}>
          Edit
        </Anchor>
      }
    >
      <Facts
        facts={[
          { name: 'Name', value: company.name },
          { name: 'Storage folder', value: company.containerName },
          { name: 'Address', value: company.address },
        ]}
      />
      {isEditing && <CompanyDialog id={id} company={company} onClose={() => setIsEditing(false)} />}
    </Panel>
  )
}

function CompanyDialog({ id, company, onClose }: CompanyInfoProps & { onClose: () => void }) {
  const form = useCompanyForm(company)
  const update = useUpdateCompany(id)
  return (
    <FormDialog
      isOpen
      title="Edit company"
      canSave={form.isDirty()}
      isSaving={update.isPending}
      onClose={() => void closeUnlessKept(form.isDirty(), onClose)}
      onSubmit={form.onSubmit((values) => update.mutate(companyForm.parse(values), { onSuccess: onClose }))}
    >
      <CompanyFields form={form} />
    </FormDialog>
  )
}
