import { expect, it } from 'vitest'
import { patterns } from '../../apps/web/src/app/paths.ts'
import { accessibilityVisits } from '../../e2e/accessibility-visits.ts'

const visited = new Set<string>(
  Object.values(accessibilityVisits)
    .flat()
    .map(({ screen }) => screen),
)
const unvisited = (screens: object) => Object.keys(screens).filter((screen) => !visited.has(screen))

it('every screen of paths.ts is in the accessibility test', () => {
  expect(unvisited(patterns), 'Add a visit of each of these screens to e2e/accessibility-visits.ts.').toEqual(
    [],
  )
})

it('a screen that is not in it is found', () => {
  expect(unvisited({ ...patterns, planted: '/planted' })).toEqual(['planted'])
})
