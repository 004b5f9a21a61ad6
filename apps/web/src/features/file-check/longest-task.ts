/** Tasks of the page that take longer are reported by the browser, in milliseconds. */
const LONG_TASK = 'longtask'

/**
 * Measures how long the page is blocked, until the returned function is called: the longest task in whole
 * milliseconds, 0 if none took 50. null in browsers that do not report long tasks.
 */
export function measureLongestTask(): () => number | null {
  if (!PerformanceObserver.supportedEntryTypes.includes(LONG_TASK)) return () => null
  let longest = 0
  const note = (entries: PerformanceEntryList) => {
    for (const { duration } of entries) longest = Math.max(longest, duration)
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ type: LONG_TASK })
  return () => {
    note(observer.takeRecords())
    observer.disconnect()
    return Math.round(longest)
  }
}
