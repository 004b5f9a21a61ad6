export const CompanyCreate = () => null
