import months from '#known/months.json' with { type: 'json' }
import { foldedAccents } from '#likeness/folded-text.ts'

const SHORTEST = 3

/**
 * The month of a name, or of the beginning of one; 0 for another word, and where names of two months begin
 * so, as juin and juillet do. In English, German, French, Spanish, Italian, Dutch, Portuguese, Swedish,
 * Danish, Norwegian, Polish, Czech, Croatian and Turkish, without accents. Languages contradict each other:
 * listopad is October in Croatian and November in Polish, lip is June and July. Without an index, which
 * would take a file with its first list 0.2 ms: in months.json, a space is before each name.
 */
export function monthNamed(name: string): number {
  const start = foldedAccents(name).replaceAll('ı', 'i')
  if (start.length < SHORTEST || start.includes(' ')) return 0
  const first = months.findIndex((names) => names.includes(` ${start}`))
  return months.some((names, index) => index > first && names.includes(` ${start}`)) ? 0 : first + 1
}

/** Days of the week in the same languages, as an expression: whole, and as they are shortened. */
export const WEEKDAY =
  '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|' +
  '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so|' +
  '(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|mi[e\u00e9]rcoles|jueves|viernes|' +
  's[a\u00e1]bado|domingo)'
