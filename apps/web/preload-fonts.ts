import type { Plugin } from 'vite'

/** The Latin text fonts, which every screen uses. Other alphabets and the monospace font load on demand. */
const firstFonts = /\/(?:inter|schibsted-grotesk)-latin-wght-normal-[^/]+\.woff2$/

/**
 * Adds preload links for the first fonts. Without them the browser finds the fonts late, and texts that are
 * already shown change and move.
 */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => firstFonts.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${file}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
              fetchpriority: 'low',
            },
            injectTo: 'head',
          })),
    },
  }
}
