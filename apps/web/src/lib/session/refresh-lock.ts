const flagKey = 'isRefreshing'
const lockName = 'veridict-refresh'
/** Milliseconds after which a flag counts as left behind by a closed tab. */
const staleAfter = 30_000

/**
 * Runs `work` unless another tab is running it. A Web Lock decides, because it ends with its tab. On an
 * insecure origin, which has no locks, the flag in local storage decides. The flag is set in both cases.
 */
export async function runInOneTab(work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return isFlagged() ? undefined : runFlagged(work)
  await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await runFlagged(work)
  })
}

async function runFlagged(work: () => Promise<void>): Promise<void> {
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
