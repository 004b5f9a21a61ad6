// Preloaded into every measured process: at its end writes what it used to file descriptor 3, as JSON.
const { readFileSync, writeSync } = require('node:fs')

if (isMainThread()) {
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

/** `chdir` throws in a thread. The module for threads would load streams: 3 ms of each process. */
function isMainThread() {
  try {
    process.chdir('.')
    return true
  } catch {
    return false
  }
}

/** Of this process alone: on Linux, maxRSS includes the memory of the parent at the fork. */
function peakBytes() {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
  } catch {
    return null
  }
}
