import { expectTypeOf, it } from 'vitest'

it('The types of a package that declares globals do not hide that `at` may find nothing', () => {
  expectTypeOf([{ a: 0 }].at(0)).toEqualTypeOf<{ a: number } | undefined>()
})
