import months from '#known/months.json' with { type: 'json' }
import { foldedAccents } from '#likeness/folded-text.ts'

const SHORTEST = 3

/**
 * Each beginning of a name → its month; 0 where two begin so, as juin and juillet do. In English, German,
 * French, Spanish, Italian, Dutch, Portuguese, Swedish, Danish, Norwegian, Polish, Czech, Croatian and
 * Turkish, without accents. Languages contradict each other: listopad is October in Croatian and November in
 * Polish, lip is June and July.
 */
function monthsByStart(): ReadonlyMap<string, number> {
  const byStart = new Map<string, number>()
  for (const [index, names] of months.entries())
    for (const name of names.split(' '))
      for (let length = SHORTEST; length <= name.length; length++) {
        const start = name.slice(0, length)
        byStart.set(start, (byStart.get(start) ?? index + 1) === index + 1 ? index + 1 : 0)
      }
  return byStart
}

/** Made when the first name is looked up: most files have none. */
let known: ReadonlyMap<string, number> | undefined

/** The month of a name, or of the beginning of one; 0 for another word. */
export const monthNamed = (name: string): number =>
  (known ??= monthsByStart()).get(foldedAccents(name).replaceAll('ı', 'i')) ?? 0

/** Days of the week in the same languages, as an expression: whole, and as they are shortened. */
export const WEEKDAY =
  '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|' +
  '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so|' +
  '(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|mi[e\u00e9]rcoles|jueves|viernes|' +
  's[a\u00e1]bado|domingo)'
