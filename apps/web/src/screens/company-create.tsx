import { createCompany } from '@veridict/contract/api/companies'
import { companyForm } from '@veridict/contract/forms/company'
import { crumbs, paths } from '#app/paths.ts'
import { CompanyFields, useCompanyForm, useProposedFolder } from '#features/companies/company-fields.tsx'
import { useDirtyGuard } from '#lib/forms/confirm.ts'
import { useChange } from '#lib/http/query-of.ts'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'
import { Page } from '#ui/layout/page.tsx'

export function CompanyCreate() {
  const form = useCompanyForm()
  useProposedFolder(form)
  const create = useChange(createCompany)
  const { leaveTo } = useDirtyGuard(form.isDirty())
  const onSuccess = ({ id }: { id: number }) => leaveTo(paths.companyEdit(id))
  return (
    <Page title="Create a new Company" narrow above={[crumbs.home, crumbs.companies]}>
      <FormPage
        cancelPath={paths.companies}
        canSave={form.isDirty()}
        isSaving={create.isPending}
        onSubmit={form.onSubmit((values) =>
          create.mutate({ body: companyForm.parse(values) }, { onSuccess }),
        )}
      >
        <FormSection title="Company info">
          <CompanyFields form={form} />
        </FormSection>
      </FormPage>
    </Page>
  )
}
