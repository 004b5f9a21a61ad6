import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const script = new URL('src/lib/theme/before-paint.js', import.meta.url)

/**
 * Adds the script that runs before the first paint. Not inline, which the content security policy forbids;
 * not a module, which would run too late. It loads beside the style sheet, which the first paint awaits too.
 */
export function themeBeforePaint(): Plugin {
  let fileName = ''
  return {
    name: 'theme-before-paint',
    buildStart() {
      this.addWatchFile(script.pathname)
    },
    generateBundle() {
      const source = withoutComments(readFileSync(script, 'utf8'))
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      fileName = `assets/theme-${hash}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => [
        bundle
          ? { tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }
          : { tag: 'script', children: readFileSync(script, 'utf8'), injectTo: 'head-prepend' },
      ],
    },
  }
}

const withoutComments = (source: string) => source.replaceAll(/^\/\/.*\n/gm, '')
