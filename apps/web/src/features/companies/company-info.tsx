import { Anchor } from '@mantine/core'
import { companyForm } from '@veridict/contract/forms/company'
import { useState } from 'react'
import { closeUnlessKept } from '#lib/forms/use-dirty-guard.ts'
import { type Seen, useOvertaken } from '#lib/forms/use-overtaken.tsx'
import { announceConflict } from '#lib/http/announce-conflict.ts'
import { Facts } from '#ui/facts.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { readCompanyAgain, useUpdateCompany } from './api.ts'
import { CompanyFields, type CompanyValues, useCompanyForm } from './company-fields.tsx'

export type CompanyInfoProps = { id: number; company: Seen<CompanyValues> }

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
          { name: 'Name', value: company.values.name },
          { name: 'Storage folder', value: company.values.containerName },
          { name: 'Address', value: company.values.address },
        ]}
      />
      {isEditing && <CompanyDialog id={id} company={company} onClose={() => setIsEditing(false)} />}
    </Panel>
  )
}

function CompanyDialog({ id, company, onClose }: CompanyInfoProps & { onClose: () => void }) {
  const form = useCompanyForm(company.values)
  const overtaken = useOvertaken(form, company, () => readCompanyAgain(id))
  const update = useUpdateCompany(
    id,
    (_message, failure) => overtaken.notes(failure) || announceConflict(failure),
  )
  return (
    <FormDialog
      isOpen
      title="Edit company"
      canSave={form.isDirty()}
      isSaving={update.isPending}
      onClose={() => void closeUnlessKept(form.isDirty(), onClose)}
      onSubmit={form.onSubmit((values) =>
        update.mutate({ ...companyForm.parse(values), version: overtaken.version }, { onSuccess: onClose }),
      )}
    >
      <CompanyFields form={form} />
      {overtaken.note}
    </FormDialog>
  )
}
