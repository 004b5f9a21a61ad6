const flagKey = 'isRefreshing'
const lockName = 'veridict-refresh'
/** A flag older than this was left by a tab that died, in milliseconds. */
const staleAfter = 30_000

/**
 * Runs `work` unless another tab is running it: by a Web Lock, which dies with its tab; where the browser has
 * none (an insecure origin), by the flag in storage that the specification names. The flag is set in both
 * cases. Spec §3, §4.
 */
export async function runInOneTab(work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return isFlagged() ? undefined : flagged(work)
  await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await flagged(work)
  })
}

async function flagged(work: () => Promise<void>): Promise<void> {
  localStorage.setItem(flagKey, String(Date.now()))
  try {
    await work()
  } finally {
    localStorage.removeItem(flagKey)
  }
}

function isFlagged(): boolean {
  return Date.now() - Number(localStorage.getItem(flagKey) ?? 0) < staleAfter
}
