import { companyForm } from '@veridict/contract/forms/company'
import { useDirtyGuard } from '#lib/forms/use-dirty-guard.ts'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'
import { useCreateCompany } from './api.ts'
import { CompanyFields, useCompanyForm } from './company-fields.tsx'

export type CompanyCreateFormProps = { listPath: string; createdPath: (id: number) => string }

export function CompanyCreateForm({ listPath, createdPath }: CompanyCreateFormProps) {
  const form = useCompanyForm()
  const create = useCreateCompany()
  const { leaveTo } = useDirtyGuard(form.isDirty())
  return (
    <FormPage
      cancelPath={listPath}
      canSave={form.isDirty()}
      isSaving={create.isPending}
      onSubmit={form.onSubmit((values) =>
        create.mutate(companyForm.parse(values), { onSuccess: ({ id }) => leaveTo(createdPath(id)) }),
      )}
    >
      <FormSection title="Company info">
        <CompanyFields form={form} />
      </FormSection>
    </FormPage>
  )
}
