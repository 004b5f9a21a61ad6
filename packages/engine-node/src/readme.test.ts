import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('..', import.meta.url)

it('The example of the engine’s README runs as it is written, and prints what it says', () => {
  const readme = readFileSync(new URL('../engine/README.md', folder), 'utf8')
  const [, example] = /```ts\n(.*?)```/s.exec(readme)!
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', example],
    { cwd: folder, encoding: 'utf8' },
  )
  expect({ stdout, stderr }).toEqual({ stdout: '3 This is not a number.\n', stderr: '' })
})
