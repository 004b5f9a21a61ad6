/** The roles of people in the portal. See docs/BEHAVIOUR.md#people-and-rights. */
export const Role = { CompanyUser: 'companyUser', SuperAdmin: 'superAdmin' } as const
export type Role = (typeof Role)[keyof typeof Role]
