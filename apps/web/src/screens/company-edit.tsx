export const CompanyEdit = () => null
