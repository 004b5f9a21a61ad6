import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { build, createServer, type InlineConfig, type Plugin, type Rolldown } from 'vite'

const script = '/src/before-paint.ts'

/**
 * The browser paints the login page from index.html and the style sheet, a second before the scripts are
 * there on a slow network; until then the page is inert. The script before the first paint is not inline,
 * which the content security policy forbids, and not a module, which would run too late.
 */
export function firstPaint(): Plugin {
  let root = ''
  let beforePaint = ''
  let login = ''
  return {
    name: 'first-paint',
    configResolved(config) {
      root = config.root
    },
    async buildStart() {
      if (this.environment.mode === 'build')
        [beforePaint, login] = await Promise.all([bundleScript(root), prerenderLogin(root)])
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: fileNameOf(beforePaint), source: beforePaint })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { server }) =>
        server
          ? [{ tag: 'script', attrs: { type: 'module', src: script }, injectTo: 'head-prepend' }]
          : {
              html: html.replace('<div id="root">', `$&<div id="prerendered" inert>${login}</div>`),
              tags: [
                { tag: 'script', attrs: { src: `/${fileNameOf(beforePaint)}` }, injectTo: 'head-prepend' },
              ],
            },
    },
  }
}

const fileNameOf = (source: string) =>
  `assets/before-paint-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`

const own: InlineConfig = { configFile: false, logLevel: 'warn', plugins: [react()] }

async function bundleScript(root: string): Promise<string> {
  const output = (await build({
    ...own,
    root,
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: `${root}${script}`, output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput
  return output.output[0].code
}

async function prerenderLogin(root: string): Promise<string> {
  const server = await createServer({
    ...own,
    root,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { prerenderLogin } = await server.ssrLoadModule('/src/app/prerender-login.tsx')
    // React renders the title of the tab in place; index.html has one. It focuses an input by a script in the
    // browser; the attribute in an inert part would only make the browser write to the console.
    return (prerenderLogin as () => string)()
      .replace(/<title>.*?<\/title>/, '')
      .replaceAll(' autofocus=""', '')
  } finally {
    await server.close()
  }
}
