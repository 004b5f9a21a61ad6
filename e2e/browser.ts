import { statfsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { findBrowser } from './find-browser.ts'

const MIN_SHARED_MEMORY_BYTES = 1e9

/** Whether pages have enough shared memory. A container of Docker has 64 MB, in which tabs crash. */
function hasSharedMemory(): boolean {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm')
    return blocks * bsize >= MIN_SHARED_MEMORY_BYTES
  } catch {
    return false
  }
}

/** Starts a headless browser without background traffic. The caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser(),
    // Playwright's default is files in place of shared memory: a tenth more processor time.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
    // Playwright disables the sandbox by default, as a browser under root in a container needs.
    args: [
      // Paints with a tenth less processor time than through the emulation of a graphics card.
      '--disable-gpu',
      // Wide tiles: memory for 142 small ones took a fifteenth of the processor time of a page load.
      '--default-tile-width=1280',
      '--default-tile-height=450',
      // Few pages live long enough to repay V8's Maglev, which compiles after 400 calls by default: a twelfth
      // less processor time.
      '--js-flags=--invocation-count-for-maglev=4000',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--font-render-hinting=none',
    ],
  })
