import { expect, it } from 'vitest'
import { liveAddress, reconnectDelay } from './live-socket.ts'

it.for([
  { failures: 0, shortest: 500, longest: 1000 },
  { failures: 3, shortest: 4000, longest: 8000 },
  { failures: 5, shortest: 15_000, longest: 30_000 },
  { failures: 5000, shortest: 15_000, longest: 30_000 },
])(
  'after $failures failures the delay is between $shortest and $longest ms',
  ({ failures, shortest, longest }) => {
    expect(reconnectDelay(failures, () => 0)).toBe(shortest)
    expect(reconnectDelay(failures, () => 1)).toBe(longest)
  },
)

it.for([
  { page: 'https://data.example.test', socket: 'wss://data.example.test/ws' },
  { page: 'http://localhost:3000', socket: 'ws://localhost:3000/ws' },
])('a page at $page connects to $socket', ({ page, socket }) => {
  expect(liveAddress(page)).toBe(socket)
})
