/** An invented claim: values in the order of the dictionary "Medical claims". Dates as dd/MM/yyyy. */
export type Claim = readonly string[]

const people = [
  ['M0012345', 'Müller, Zoë', '29/02/1984'],
  ['M0012388', 'García, José', '14/07/1971'],
  ['M0012401', "O'Neill, Aoife", '03/11/1990'],
  ['M0012459', 'Nguyễn, Minh', '22/01/2015'],
  ['M0012502', 'Okafor, Chidi', '30/09/1958'],
  ['M0012577', 'Lindström, Åsa', '08/05/2002'],
  ['M0012613', 'Rossi, Giulia', '17/12/1966'],
  ['M0012690', 'Haddad, Karim', '25/03/1995'],
] as const

/** Type, provider, place, diagnosis, procedure, price of one unit in cents. */
const services = [
  ['Professional', '1234567893', 'Office', 'E11.9', '99213', 12_550],
  ['Professional', '1487654323', 'Telehealth', 'J06.9', '99441', 6_400],
  ['Institutional', '2098765433', 'Inpatient hospital', 'I21.4', '92941', 1_845_000],
  ['Institutional', '2098765433', 'Emergency room', 'S52.501A', '25600', 98_075],
  ['Professional', '1700112232', 'Laboratory', 'Z13.220', '80061', 4_290],
  ['Dental', '1556677882', 'Office', 'K02.62', 'D2391', 21_000],
  ['Pharmacy', '1998877660', 'Home', 'D51.0', 'J3420', 875],
] as const

/** The columns of the dictionary "Medical claims". */
export const header: Claim = [
  'Claim ID',
  'Claim type',
  'Member ID',
  'Member name',
  'Date of birth',
  'Provider NPI',
  'Place of service',
  'Service from',
  'Service to',
  'Diagnosis code',
  'Procedure code',
  'Units',
  'Billed amount',
  'Allowed amount',
  'Status',
  'Remarks',
]

/** Columns that a spreadsheet stores as days and as numbers; all others are text. */
export const dayColumns: readonly number[] = [4, 7, 8]
export const numberColumns: readonly number[] = [11, 12, 13]

/** `count` claims that fit the dictionary, always the same ones. */
export const cleanClaims = (count: number): Claim[] =>
  Array.from({ length: count }, (_, index) => claim(index))

function claim(index: number): Claim {
  const [memberId, name, birth] = people[(index * 5) % people.length]
  const [type, provider, place, diagnosis, procedure, cents] = services[(index * 3) % services.length]
  const isStay = place === 'Inpatient hospital'
  const day = 1 + ((index * 7) % 24)
  const units = type === 'Pharmacy' ? 4 : 1
  const billed = cents * units
  return [
    `CLM-${20_260_001 + index}`,
    type,
    memberId,
    name,
    birth,
    provider,
    place,
    dayOfMay(day),
    isStay ? dayOfMay(day + 4) : '',
    diagnosis,
    procedure,
    String(units),
    amount(billed),
    index % 6 === 5 ? '' : amount(Math.round(billed * 0.8)),
    index % 11 === 10 ? 'Adjusted' : 'New',
    isStay ? 'Discharge letter follows, with the invoice of the ward' : '',
  ]
}

const dayOfMay = (day: number) => `${String(day).padStart(2, '0')}/05/2026`
const amount = (cents: number) => (cents / 100).toFixed(2)

/** Typical faults: row as in a spreadsheet, column, and the text of the cell. */
export const faults: readonly [row: number, column: string, text: string][] = [
  [4, 'Date of birth', '31/02/1984'],
  [6, 'Billed amount', '18450,00'],
  [9, 'Claim type', 'Profesional'],
  [9, 'Units', '1.5'],
  [12, 'Member name', ''],
  [15, 'Claim ID', 'CLM-2026'],
  [15, 'Claim type', 'dental'],
  [15, 'Member ID', '12690'],
  [15, 'Service from', '2026-05-03'],
  [15, 'Diagnosis code', 'K0262'],
  [15, 'Billed amount', '$210.00'],
  [15, 'Status', 'new'],
  [18, 'Procedure code', '9921'],
  [20, 'Allowed amount', '-34.32'],
  [22, 'Provider NPI', '0123456789'],
]

/** Cells that are right by themselves, but break a rule between cells. */
export const brokenRules: readonly [row: number, column: string, text: string, rule: string][] = [
  [19, 'Service to', '20/05/2026', 'Days of service in order'],
  [24, 'Claim ID', 'CLM-20260022', 'One row for each claim'],
]

/** `count` claims of which some cells are wrong; row 15 has more faults than the screen shows at once. */
export function faultyClaims(count: number): Claim[] {
  const rows = cleanClaims(count).map((claim) => [...claim])
  for (const [row, column, text] of [...faults, ...brokenRules]) rows[row - 2][header.indexOf(column)] = text
  return rows
}
