import { expect, it } from 'vitest'
import { liveAddress, reconnectDelay } from './live-socket.ts'

it('reconnects after half a second to 5 seconds', () => {
  expect(reconnectDelay(() => 0)).toBe(500)
  expect(reconnectDelay(() => 1)).toBe(5000)
})

it.for([
  { page: 'https://data.example.test', socket: 'wss://data.example.test/ws' },
  { page: 'http://localhost:3000', socket: 'ws://localhost:3000/ws' },
])('a page at $page connects to $socket', ({ page, socket }) => {
  expect(liveAddress(page)).toBe(socket)
})
