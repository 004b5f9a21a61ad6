import { expect, it } from 'vitest'
import { fileSize } from './file-size.ts'

it.for([
  { bytes: 0, size: '0 bytes' },
  { bytes: 1023, size: '1,023 bytes' },
  { bytes: 1024, size: '1 KB' },
  { bytes: 4300, size: '4.2 KB' },
  { bytes: 26_214_400, size: '25 MB' },
  { bytes: 900_000, size: '879 KB' },
])('$bytes is $size', ({ bytes, size }) => expect(fileSize(bytes)).toBe(size))
