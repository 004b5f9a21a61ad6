/** Who a person is to the portal. Spec §6. */
export const Role = { CompanyUser: 'companyUser', SuperAdmin: 'superAdmin' } as const
export type Role = (typeof Role)[keyof typeof Role]
