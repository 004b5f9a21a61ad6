// `npm run dev`: the portal restarts when its code changes, and the page is served by vite, which shows a
// change at once.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bootstrap, pinnedNode, root } from './bootstrap.mjs'

await bootstrap()
// The address of the page, for the portal's banner and links in e-mails; vite.config.ts has the same port.
process.env.PUBLIC_URL ||= 'http://localhost:5173'
const portal = spawn(
  pinnedNode,
  ['--watch', '--watch-preserve-output', join(root, 'apps/server/src/main.ts')],
  { cwd: root, stdio: 'inherit' },
)
const page = spawn(pinnedNode, [join(root, 'node_modules/vite/bin/vite.js')], {
  cwd: join(root, 'apps/web'),
  stdio: 'inherit',
})

for (const child of [portal, page]) child.on('exit', () => stop())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop())

function stop() {
  portal.kill('SIGTERM')
  page.kill('SIGTERM')
}
