import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** In a process of its own: zod reads its settings when it is loaded, and other tests load it, too. */
it('zod generates no code', () => {
  const program = `await import('./no-eval.ts')
    console.log(JSON.stringify((await import('zod')).config()))`
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], options)
  expect(JSON.parse(printed)).toMatchObject({ jitless: true })
})
