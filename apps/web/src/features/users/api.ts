import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listCompanyUsers } from '@veridict/contract/api/companies'
import {
  createUser,
  deleteUser,
  listAdministrators,
  previewUserDeletion,
  readUser,
  resetUserPassword,
  updateUser,
  type UserItem,
} from '@veridict/contract/api/users'
import type { UserForm } from '@veridict/contract/forms/user'
import { pageSizes } from '@veridict/contract/limits'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { call } from '#lib/http/client.ts'
import { pageQueryOf } from '#lib/http/query-of.ts'
import { useChange } from '#lib/http/use-change.ts'

export const administratorsQuery = (page: number) =>
  pageQueryOf(listAdministrators, { query: { PageNumber: page, PageSize: pageSizes.default } })

/** A page of a company's users, in the shape that administrators have. */
export const companyUsersQuery = (companyId: number, page: number) =>
  queryOptions({
    queryKey: ['company-users', companyId, { page }],
    queryFn: async ({ signal }) => {
      const query = { PageNumber: page, PageSize: pageSizes.companyUsers }
      const users = await call(listCompanyUsers, { params: { id: companyId }, query, signal })
      return {
        ...users,
        data: users.data.map(({ userName, ...user }): UserItem => ({ ...user, name: userName })),
      }
    },
    placeholderData: keepPreviousData,
  })

/** A user for the form, with the ETag that an update sends back. */
export const userSnapshot = ({ name, email, phone, version: etag }: UserItem) => ({
  values: { name, email, phone },
  etag,
})
export const rereadUser = async (id: number) => userSnapshot(await call(readUser, { params: { id } }))

/** The company of a user; null for administrators. */
export type UserCompany = { id: number; name: string } | null

export const saveUser = (user: UserItem | null, company: UserCompany, body: UserForm, etag?: string) =>
  user === null
    ? call(createUser, { body: { ...body, companyId: company?.id ?? null, isSuperAdmin: company === null } })
    : call(updateUser, { params: { id: user.id }, body: { ...body, id: user.id, version: etag } })

/** What deleting a user changes: one sentence for each effect. */
export const effectsOfDeletion = async (id: number) =>
  deletionMessages.user(await call(previewUserDeletion, { params: { id } }))
export const useDeleteUser = () => useChange((id: number) => call(deleteUser, { params: { id } }))
export const useResetPassword = () =>
  useChange((userId: number) => call(resetUserPassword, { body: { userId } }))
