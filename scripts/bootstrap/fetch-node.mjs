import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Copies the program of a Node version to `target`, from the npm package for this platform. */
export function fetchNode(version, target) {
  if (existsSync(target)) return
  const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${family}-${process.platform}-${process.arch}`
  const folder = mkdtempSync(join(tmpdir(), 'veridict-node-'))
  writeFileSync(join(folder, 'package.json'), '{}')
  spawnSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`],
    { cwd: folder },
  )
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) {
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(program, target)
    chmodSync(target, 0o755)
  }
  rmSync(folder, { recursive: true, force: true })
}
