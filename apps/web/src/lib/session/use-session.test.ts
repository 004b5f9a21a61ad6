import { expect, it } from 'vitest'
import { initialsOf } from './use-session.ts'

it.for([
  { name: 'Clara Clerk', initials: 'CC' },
  { name: '  ada  ', initials: 'A' },
  { name: 'Anna Maria von Berg', initials: 'AB' },
  { name: '😀 x', initials: '😀X' },
  { name: '', initials: '?' },
])('"$name" is $initials', ({ name, initials }) => expect(initialsOf(name)).toBe(initials))
