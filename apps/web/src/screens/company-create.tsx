import { paths } from '#app/paths.ts'
import { CompanyCreateForm } from '#features/companies/company-create-form.tsx'
import { Page } from '#ui/layout/page.tsx'

const title = 'Create a new Company'

export function CompanyCreate() {
  return (
    <Page
      title={title}
      narrow
      crumbs={[
        { label: 'Home', to: paths.home },
        { label: 'Companies', to: paths.companies },
        { label: title },
      ]}
    >
      <CompanyCreateForm listPath={paths.companies} createdPath={paths.companyEdit} />
    </Page>
  )
}
