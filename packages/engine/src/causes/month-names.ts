/** By month: names in English, German, French, Spanish, Italian, Dutch and Portuguese, without accents. */
const NAMES = [
  'january januar janner janvier enero gennaio januari janeiro',
  'february februar feber fevrier febrero febbraio februari fevereiro',
  'march marz maerz mrz mars marzo maart mrt marco',
  'april avril abril aprile',
  'may mai mayo maggio mei maio',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august aout agosto augustus',
  'september septembre septiembre setiembre settembre setembro',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember decembre diciembre dicembre dezembro',
]
const SHORTEST = 3

/** Each beginning of a name → its month; 0 where two months begin so, as juin and juillet do. */
const months = new Map<string, number>()
for (const [index, names] of NAMES.entries())
  for (const name of names.split(' '))
    for (let length = SHORTEST; length <= name.length; length++) {
      const start = name.slice(0, length)
      months.set(start, (months.get(start) ?? index + 1) === index + 1 ? index + 1 : 0)
    }

const ACCENTS = /[\u0300-\u036f]/g

/** The month of a name, or of the beginning of one; 0 for another word. */
export const monthNamed = (name: string): number =>
  months.get(name.normalize('NFD').replace(ACCENTS, '').toLowerCase()) ?? 0

/** Days of the week in the same languages, as an expression: whole, and as they are shortened. */
export const WEEKDAY =
  '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|' +
  '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so|' +
  '(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|mi[e\u00e9]rcoles|jueves|viernes|' +
  's[a\u00e1]bado|domingo)'
