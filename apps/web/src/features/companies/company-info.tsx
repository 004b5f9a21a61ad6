import { Anchor } from '@mantine/core'
import { companyForm } from '@veridict/contract/forms/company'
import { useState } from 'react'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { type Snapshot, useConflict } from '#lib/forms/use-conflict.tsx'
import { announceConflict } from '#lib/http/announce.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { rereadCompany, useUpdateCompany } from './api.ts'
import { CompanyFields, type CompanyValues, useCompanyForm } from './company-fields.tsx'

export type CompanyInfoProps = { id: number; company: Snapshot<CompanyValues> }

/** The data of a company, with a dialog to edit it. */
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
  const conflict = useConflict(form, company, () => rereadCompany(id))
  const update = useUpdateCompany(
    id,
    (_message, failure) => conflict.show(failure) || announceConflict(failure),
  )
  return (
    <FormDialog
      title="Edit company"
      canSave={form.isDirty()}
      isSaving={update.isPending}
      onClose={() => void confirmAndClose(form.isDirty(), onClose)}
      onSubmit={form.onSubmit((values) =>
        update.mutate({ ...companyForm.parse(values), version: conflict.etag }, { onSuccess: onClose }),
      )}
    >
      <CompanyFields form={form} />
      {conflict.note}
    </FormDialog>
  )
}
