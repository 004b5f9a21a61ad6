// `npm run fix`: formats everything and mends what the linter can mend.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bootstrap, pinnedNode, root } from './bootstrap.mjs'

await bootstrap()
for (const words of [
  ['oxlint/bin/oxlint', '--type-aware', '--fix'],
  ['oxfmt/bin/oxfmt', '.'],
]) {
  const [tool, ...options] = words
  spawnSync(pinnedNode, [join(root, 'node_modules', tool), ...options], { cwd: root, stdio: 'inherit' })
}
