import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { stopListening } from '#platform/http/connections.ts'

it('A server that is never idle stops, too', { timeout: 15_000 }, async () => {
  const app = Fastify()
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  let isBusy = true
  const never = new Int32Array(new SharedArrayBuffer(4))
  const work = () => {
    // The process stands still, without using a processor.
    Atomics.wait(never, 0, 0, 30)
    if (isBusy) setImmediate(work)
  }
  work()
  await stopListening(app, 1)
  isBusy = false
  const [error] = await once(connect(Number(port), '127.0.0.1'), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})
