// Preloaded into every measured process: says at its end what it used, as JSON on file descriptor 3.
const { readFileSync, writeSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    writeSync(
      3,
      JSON.stringify({
        cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
        peakBytes: peakBytes() ?? maxRSS * 1024,
      }),
    )
  })
}

/** Of this program alone: on Linux, maxRSS also counts what the parent held when it forked. */
function peakBytes() {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
  } catch {
    return null
  }
}
