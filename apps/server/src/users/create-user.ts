import type { BodyOf } from '@veridict/contract/api/endpoint'
import type { createUser as endpoint } from '@veridict/contract/api/users'
import { userMessages } from '@veridict/contract/messages/users'
import { Role } from '@veridict/contract/model/role'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { invalid } from '#errors.ts'
import { lockCompanyForShare } from '#users/users.ts'
import { addUser } from '#users/add-user.ts'
import { refuseDuplicateEmail } from '#users/refuse-duplicate-email.ts'
import { sendPasswordLink, type PasswordLinkDeps } from '#users/send-password-link.ts'

/**
 * Creates a clerk of a company, or an administrator without one, and sends the invitation. Returns the id.
 * 400 if role and company do not match or the company does not exist, 409 for a duplicate e-mail address.
 */
export async function createUser(
  form: BodyOf<typeof endpoint>,
  deps: PasswordLinkDeps & Pick<Deps, 'db'>,
): Promise<number> {
  const { name, email, phone, companyId, isSuperAdmin } = form
  if (isSuperAdmin && companyId !== null) throw invalid('companyId', userMessages.administratorWithCompany)
  if (!isSuperAdmin && companyId === null) throw invalid('companyId', userMessages.companyRequired)
  return refuseDuplicateEmail(() =>
    inTransaction(deps.db, async (trx) => {
      if (companyId !== null && !(await lockCompanyForShare(trx, companyId)))
        throw invalid('companyId', userMessages.companyRequired)
      const role = isSuperAdmin ? Role.SuperAdmin : Role.CompanyUser
      const user = await addUser({ name, email, phone, companyId, role, passwordHash: null }, trx, deps)
      await sendPasswordLink(user, 'invitation', trx, deps)
      return user.id
    }),
  )
}
