import { createCompany } from '@veridict/contract/api/companies'
import { companyForm } from '@veridict/contract/forms/company'
import { crumbs, paths } from '#app/paths.ts'
import { CompanyFields, useCompanyForm } from '#features/companies/company-fields.tsx'
import { useDirtyGuard } from '#lib/forms/use-dirty-guard.ts'
import { useChange } from '#lib/http/use-change.ts'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'
import { Page } from '#ui/layout/page.tsx'

const title = 'Create a new Company'

export function CompanyCreate() {
  return (
    <Page title={title} narrow above={[crumbs.home, crumbs.companies]}>
      <CompanyCreateForm />
    </Page>
  )
}

function CompanyCreateForm() {
  const form = useCompanyForm()
  const create = useChange(createCompany)
  const { leaveTo } = useDirtyGuard(form.isDirty())
  return (
    <FormPage
      cancelPath={paths.companies}
      canSave={form.isDirty()}
      isSaving={create.isPending}
      onSubmit={form.onSubmit((values) => {
        const onSuccess = ({ id }: { id: number }) => leaveTo(paths.companyEdit(id))
        create.mutate({ body: companyForm.parse(values) }, { onSuccess })
      })}
    >
      <FormSection title="Company info">
        <CompanyFields form={form} />
      </FormSection>
    </FormPage>
  )
}
