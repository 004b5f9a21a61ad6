/**
 * By month: names in English, German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Danish,
 * Norwegian, Polish, Czech, Croatian and Turkish, without accents. Languages contradict each other: listopad
 * is October in Croatian and November in Polish, lip is June and July.
 */
const NAMES = [
  'january januar janner janvier enero gennaio januari janeiro styczen stycznia leden ledna ' +
    'sijecanj sijecnja ocak',
  'february februar feber fevrier febrero febbraio februari fevereiro luty lutego unor unora ' +
    'veljaca veljace subat',
  'march marz maerz mrz mars marzo maart mrt marco marts marzec marca brezen brezna ozujak ozujka mart',
  'april avril abril aprile kwiecien kwietnia duben dubna travanj travnja nisan',
  'may mai mayo maggio mei maio maj maja kveten kvetna svibanj svibnja mayis',
  'june juni juin junio giugno junho czerwiec czerwca cerven cervna lipanj lipnja haziran',
  'july juli juillet julio luglio julho lipiec lipca cervenec cervence srpanj srpnja temmuz',
  'august aout agosto augustus augusti sierpien sierpnia srpen srpna kolovoz kolovoza agustos',
  'september septembre septiembre setiembre settembre setembro wrzesien wrzesnia zari rujan rujna eylul',
  'october oktober octobre octubre ottobre outubro pazdziernik pazdziernika rijen rijna listopad ' +
    'listopada ekim',
  'november novembre noviembre novembro listopad listopada studeni studenoga kasim',
  'december dezember decembre diciembre dicembre dezembro desember grudzien grudnia prosinec ' +
    'prosince prosinac prosinca aralik',
]
const SHORTEST = 3

/** Each beginning of a name → its month; 0 where two months begin so, as juin and juillet do. */
function monthsByStart(): ReadonlyMap<string, number> {
  const months = new Map<string, number>()
  for (const [index, names] of NAMES.entries())
    for (const name of names.split(' '))
      for (let length = SHORTEST; length <= name.length; length++) {
        const start = name.slice(0, length)
        months.set(start, (months.get(start) ?? index + 1) === index + 1 ? index + 1 : 0)
      }
  return months
}

/** Made when the first name is looked up: most files have none. */
let months: ReadonlyMap<string, number> | undefined

const ACCENTS = /[\u0300-\u036f]/g

/** The month of a name, or of the beginning of one; 0 for another word. */
export const monthNamed = (name: string): number =>
  (months ??= monthsByStart()).get(
    name.toLowerCase().normalize('NFD').replace(ACCENTS, '').replaceAll('ı', 'i'),
  ) ?? 0

/** Days of the week in the same languages, as an expression: whole, and as they are shortened. */
export const WEEKDAY =
  '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|' +
  '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so|' +
  '(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|mi[e\u00e9]rcoles|jueves|viernes|' +
  's[a\u00e1]bado|domingo)'
