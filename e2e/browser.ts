import { chromium, type Browser } from 'playwright-core'
import { findBrowser } from './find-browser.ts'

/** Starts a headless browser without background traffic. The caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser(),
    // Playwright disables the sandbox by default, as a browser under root in a container needs.
    args: [
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--font-render-hinting=none',
    ],
  })
