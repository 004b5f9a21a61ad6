import type { Deps } from '#deps.ts'
import { findCompaniesAbove } from '#submissions/submission-sources.ts'

const MIB = 1024 * 1024

/**
 * Logs at the start which companies cannot upload because their sources take more than the quota. Operators
 * would not learn it otherwise, after an upgrade from a version without a quota or with a lower setting.
 */
export async function warnOfFullQuotas({ db, env, log }: Pick<Deps, 'db' | 'env' | 'log'>): Promise<void> {
  const quotaMegabytes = env.companyQuotaMegabytes
  if (quotaMegabytes === 0) return
  for (const { companyId, bytes } of await findCompaniesAbove(db, quotaMegabytes * MIB)) {
    const keptMegabytes = Math.ceil(bytes / MIB)
    log.warn(
      { companyId, keptMegabytes, quotaMegabytes },
      'uploads of a company are refused: more is kept for it than COMPANY_QUOTA_MB allows',
    )
  }
}
