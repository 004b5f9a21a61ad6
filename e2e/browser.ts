import { chromium, type Browser } from 'playwright-core'
import { findBrowser } from './find-browser.ts'

/** A headless browser that talks to nobody but the page it is sent to. The caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser(),
    // Playwright leaves the sandbox out by itself, as a browser under root in a container needs.
    args: [
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--font-render-hinting=none',
    ],
  })
