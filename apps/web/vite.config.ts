import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './compress-assets.ts'
import { firstPaint } from './first-paint.ts'
import { preloadFonts } from './preload-fonts.ts'

/** The portal that `npm run dev` starts beside vite. */
const server = `http://127.0.0.1:${process.env.PORT || 3000}`

/**
 * The portal serves `dist` under a strict content security policy: no inline scripts and, through
 * `assetsInlineLimit: 0`, no data: addresses.
 */
export default defineConfig({
  plugins: [react(), firstPaint(), preloadFonts(), compressAssets()],
  // With chunks of its own, of which RE2 is loaded only for the patterns that need it.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      // One script and one style sheet for the login page. Everything else is loaded when it is needed.
      output: {
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
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
