import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstPaint } from './first-paint.ts'

/** The portal that `npm run dev` starts beside vite. */
const server = `http://127.0.0.1:${process.env.PORT || 3000}`

const shared = { name: 'shared', test: /node_modules|src\/(lib|ui)\/|packages\/contract\//, minShareCount: 6 }

/** The content security policy forbids inline scripts and data: addresses (`assetsInlineLimit: 0`). */
export default defineConfig({
  plugins: [react(), firstPaint(), preloadFonts(), compressAssets()],
  // With chunks of its own, of which RE2 is loaded only for the patterns that need it.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      // One script and one style sheet for the login page; one script for what many screens share, without
      // which each was 80 files. Everything else is loaded when it is needed.
      output: {
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'], priority: 1 }, shared] },
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/${facadeModuleId?.includes('/src/screens/') ? 'screen-' : ''}[name]-[hash].js`,
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': server, '/config.json': server, '/ws': { target: server, ws: true } },
  },
})

/** Almost as small as with 11, in a tenth of the time: the first start waits for the build. */
const BROTLI_QUALITY = 9

const encodings = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** `.br` and `.gz` of the page, scripts and styles, which the portal serves. Fonts need none. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((name) => /\.(?:html|js|css)$/.test(name))
      await Promise.all(files.map((name) => compress(join(dir, name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  for (const [ending, encode] of Object.entries(encodings))
    await writeFile(`${path}.${ending}`, await encode(bytes))
}

/** The Latin text fonts, which every screen uses. Other alphabets and the monospace font load on demand. */
const firstFonts = /\/(?:inter|schibsted-grotesk)-latin-wght-normal-[^/]+\.woff2$/

/** Without them the browser finds the fonts late, and texts that are already shown change and move. */
function preloadFonts(): Plugin {
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
