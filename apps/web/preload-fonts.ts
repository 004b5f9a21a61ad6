import type { Plugin } from 'vite'

/**
 * What every screen begins with, in Latin letters; other alphabets and the letters of cells come when they
 * are needed.
 */
const firstFonts = /\/(?:inter|schibsted-grotesk)-latin-wght-normal-[^/]+\.woff2$/

/**
 * Names the first fonts in the page: a browser finds them otherwise only with the first texts, which then
 * change and move.
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
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head',
          })),
    },
  }
}
