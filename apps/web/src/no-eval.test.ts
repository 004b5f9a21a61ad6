import './no-eval.ts'
import { expect, it } from 'vitest'
import { config } from 'zod'

it('zod generates no code', () => {
  expect(config()).toMatchObject({ jitless: true })
})
