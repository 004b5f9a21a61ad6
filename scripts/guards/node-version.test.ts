import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  engines: { node: string }
}
const oldest = Number(/^>=(\d+)$/.exec(engines.node)?.[1])

/** Runs a program as if Node had another version. */
function runAs(version: string, ...args: string[]) {
  const versions = `{ value: { ...process.versions, node: '${version}' } }`
  const preload = `Object.defineProperty(process, 'versions', ${versions})`
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${preload}`, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
}

describe.for([
  { program: 'The command line', args: ['apps/cli/src/main.mjs', '--help'] },
  {
    program: 'vitest',
    args: ['node_modules/vitest/vitest.mjs', 'list', '--project', 'unit', 'no-such-file'],
  },
])('$program', ({ args }) => {
  it('names the Node that it needs, in one sentence, when Node is too old', () => {
    const { status, stdout, stderr } = runAs(`${oldest - 1}.11.0`, ...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^Veridict needs Node ${oldest} or later, but this is Node .*\\n$`))
  })

  it('runs on the oldest Node that package.json allows', () => {
    const { status, stderr } = runAs(`${oldest}.0.0`, ...args)
    expect([status, stderr]).toEqual([0, ''])
  })
})
