import { expect, it } from 'vitest'
import { deviceName } from '#session/login-place.ts'

it.for([
  {
    agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
    name: 'Firefox on Windows',
  },
  {
    agent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.0 Safari/605.1.15',
    name: 'Safari on macOS',
  },
  {
    agent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 ' +
      'Mobile Safari/537.36',
    name: 'Chrome on Android',
  },
  { agent: 'x'.repeat(501), name: '' },
  { agent: '', name: '' },
  { agent: undefined, name: '' },
])('names the device of $agent: $name', ({ agent, name }) => {
  expect(deviceName(agent)).toBe(name)
})
