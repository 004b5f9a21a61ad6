import { describe, expect, it } from 'vitest'
import { type SuggestedColumn, suggestionsIn } from '../../test/suggested-column.ts'

const date = { type: 'date', format: 'dd/MM/yyyy' } as const
const isoDate = { type: 'date', format: 'yyyy-MM-dd' } as const

const columns: SuggestedColumn[] = [
  {
    why: 'the name of a month is another month in another language',
    rule: { type: 'date', format: 'dd/MM/yyyy' },
    values: [
      ['5. lip 2024', null, 'notADate'],
      ['5 listopada 2024', null, 'notADate'],
      ['5 srp 2024', null, 'notADate'],
      ['5. lipca 2024', '05/07/2024', 'dateFormat'],
      ['5. lipnja 2024', '05/06/2024', 'dateFormat'],
    ],
  },
  {
    why: 'a month with its name, where the format has no day',
    rule: { type: 'date', format: 'MM/yyyy' },
    values: [
      ['Jan 2024', '01/2024', 'dateFormat'],
      ['März 2024', '03/2024', 'dateFormat'],
      ['marzo de 2024', '03/2024', 'dateFormat'],
      ['2024-Dec', '12/2024', 'dateFormat'],
      ['Jan-24', null, 'notADate'],
      ['Spring 2024', null, 'notADate'],
    ],
  },
  {
    why: 'a year of two digits may stand first or last, and no date shows where',
    rule: isoDate,
    values: [
      ['24-03-17', null, 'dateShortYear'],
      ['22-12-05', null, 'dateShortYear'],
      ['24-03-30', null, 'dateShortYear'],
      ['24-03-17 10:00', null, 'dateShortYear'],
      ['05-03-24', null, 'dateOrder'],
    ],
  },
  {
    why: 'a date shows that the year of two digits stands first',
    rule: isoDate,
    values: [
      ['24-03-17', '2024-03-17', 'dateFormat'],
      ['24-03-30', '2024-03-30', 'dateFormat'],
      ['99-12-05', '1999-12-05', 'dateFormat'],
      ['05-03-24', null, 'dateShortYear'],
    ],
  },
  {
    why: 'a date shows that the year of two digits stands last',
    rule: isoDate,
    values: [
      ['24-03-17', '2017-03-24', 'dateFormat'],
      ['24-03-30', null, 'dateShortYear'],
      ['24-03-85', '1985-03-24', 'dateFormat'],
      ['05-03-24', '2024-03-05', 'dateFormat'],
    ],
  },
  {
    why: 'a year that no calendar has is none of two digits',
    rule: isoDate,
    values: [
      ['0000-01-31', null, 'notADate'],
      ['31/01/0000', null, 'notADate'],
    ],
  },
  {
    why: 'dates show both places of the year',
    rule: isoDate,
    values: [
      ['24-03-17', null, 'dateShortYear'],
      ['99-12-05', '1999-12-05', 'dateFormat'],
      ['24-03-85', null, 'dateShortYear'],
    ],
  },
  {
    why: 'the field itself has a year of two digits',
    rule: { type: 'date', format: 'M/d/yy' },
    values: [
      ['14/01/01', null, 'dateShortYear'],
      ['14/12/02', null, 'dateShortYear'],
    ],
  },
  {
    why: 'the field itself has a year of two digits, and the others have it first',
    rule: { type: 'date', format: 'M/d/yy' },
    values: [
      ['14/01/01', '01/01/14', 'dateFormat'],
      ['99/12/02', '12/02/99', 'dateFormat'],
    ],
  },
  {
    why: 'between points and as the field has it, the year of two digits stands last',
    rule: date,
    values: [
      ['24.03.17', '24/03/2017', 'dateFormat'],
      ['25/03/17', '25/03/2017', 'dateFormat'],
      ['17/3/24', '17/03/2024', 'dateFormat'],
    ],
  },
  {
    why: 'a date in another format has one meaning where the year comes first, or the month is a word',
    rule: date,
    values: [
      ['2024-03-05', '05/03/2024', 'dateFormat'],
      ['2024/3/5', '05/03/2024', 'dateFormat'],
      ['20240305', '05/03/2024', 'dateFormat'],
      ['31122024', '31/12/2024', 'dateFormat'],
      ['5 Mar 2024', '05/03/2024', 'dateFormat'],
      ['March 5th, 2024', '05/03/2024', 'dateFormat'],
      ['5-Mar-24', '05/03/2024', 'dateFormat'],
      ['Tuesday, 5 March 2024', '05/03/2024', 'dateFormat'],
      ['25.12.2024', '25/12/2024', 'dateFormat'],
      ['5-Mar', null, 'notADate'],
      ['12/2024', null, 'notADate'],
      ['2024', null, 'notADate'],
    ],
  },
  {
    why: 'the name of a month is in another language',
    rule: date,
    values: [
      ['3. März 2024', '03/03/2024', 'dateFormat'],
      ['3. Mrz. 2024', '03/03/2024', 'dateFormat'],
      ['3 Mai 2024', '03/05/2024', 'dateFormat'],
      ['03-Okt-2024', '03/10/2024', 'dateFormat'],
      ['3. Dez. 24', '03/12/2024', 'dateFormat'],
      ['Montag, 15. Jänner 2024', '15/01/2024', 'dateFormat'],
      ['Mo., 3. Juni 2024', '03/06/2024', 'dateFormat'],
      ['1er août 2024', '01/08/2024', 'dateFormat'],
      ['3 de enero de 2024', '03/01/2024', 'dateFormat'],
      ['15 gennaio 2024', '15/01/2024', 'dateFormat'],
      ['15 mrt 2024', '15/03/2024', 'dateFormat'],
      ['15 fevereiro 2024', '15/02/2024', 'dateFormat'],
      ['3 maj 2024', '03/05/2024', 'dateFormat'],
      ['17 października 2024', '17/10/2024', 'dateFormat'],
      ['1. března 2024', '01/03/2024', 'dateFormat'],
      ['17 Kasım 2024', '17/11/2024', 'dateFormat'],
      ['3 cerv 2024', null, 'notADate'],
      ['3. März 2024, 10:30 Uhr', '03/03/2024', 'timeOfDay'],
      ['31. Juni 2024', null, 'dateImpossible'],
      ['3 jui 2024', null, 'notADate'],
      ['3. Marke 2024', null, 'notADate'],
    ],
  },
  {
    why: 'a date with signs that do not belong there, or with digits of another script',
    rule: date,
    values: [
      ['25/12/2024;', '25/12/2024', 'punctuation'],
      ['25_12_2024', '25/12/2024', 'dateFormat'],
      ['٢٥/١٢/٢٠٢٤', '25/12/2024', 'otherDigits'],
      ['２０２４-12-25', '25/12/2024', 'dateFormat'],
    ],
  },
  {
    why: 'two digits are a year only where one century is likely',
    rule: date,
    values: [
      ['31/12/24', '31/12/2024', 'dateFormat'],
      ['31/12/71', '31/12/1971', 'dateFormat'],
      ['31/12/45', null, 'dateShortYear'],
    ],
  },
  {
    why: 'valid dates prove that the day comes first',
    rule: date,
    values: [
      ['25/12/2024'],
      ['3/4/2024', '03/04/2024', 'dateFormat'],
      ['03-04-2024', null, 'dateOrder'],
      ['03 04 2024', null, 'dateOrder'],
    ],
  },
  {
    why: 'slashes show nothing of other separators, and with points the day is first',
    rule: isoDate,
    values: [
      ['08/17/2023', '2023-08-17', 'dateFormat'],
      ['8/7/2023', '2023-08-07', 'dateFormat'],
      ['9.6.2023', '2023-06-09', 'dateFormat'],
      ['09.06.23', '2023-06-09', 'dateFormat'],
      ['9.6.2023 10:00', '2023-06-09', 'timeOfDay'],
      ['03-07-2023', null, 'dateOrder'],
      ['03-07-2023 10:00', null, 'dateOrder'],
    ],
  },
  {
    why: 'dashes show nothing of slashes, nor of dates that may begin with a year of two digits',
    rule: isoDate,
    values: [
      ['28-02-2023', '2023-02-28', 'dateFormat'],
      ['3-7-2023', '2023-07-03', 'dateFormat'],
      ['03/07/2023', null, 'dateOrder'],
      ['03_07_2023', null, 'dateOrder'],
      ['03-07-12', null, 'dateShortYear'],
      ['03-07-12 10:00', null, 'timeOfDay'],
      ['24-03-17', null, 'dateShortYear'],
    ],
  },
  {
    why: 'dashes of the field show nothing of dates that may begin with a year of two digits',
    rule: { type: 'date', format: 'dd-MM-yyyy' },
    values: [
      ['28-02-2023'],
      ['3-7-2023', '03-07-2023', 'dateFormat'],
      ['24-03-17', null, 'dateShortYear'],
      ['03-07-12', null, 'dateShortYear'],
    ],
  },
  {
    why: 'dates of the field with a year of two digits show that it stands last',
    rule: { type: 'date', format: 'dd-MM-yy' },
    values: [
      ['25-12-23'],
      ['3-4-24', '03-04-24', 'dateFormat'],
      ['24-03-17'],
      ['03/04/2024', null, 'dateOrder'],
    ],
  },
  {
    why: 'dates with points show that the month comes first',
    rule: isoDate,
    values: [
      ['08.17.2023', '2023-08-17', 'dateFormat'],
      ['9.6.2023', '2023-09-06', 'dateFormat'],
    ],
  },
  {
    why: 'dates with points show both orders',
    rule: isoDate,
    values: [
      ['08.17.2023', '2023-08-17', 'dateFormat'],
      ['17.08.2023', '2023-08-17', 'dateFormat'],
      ['9.6.2023', null, 'dateOrder'],
    ],
  },
  {
    why: 'the format of the field has points and the month first, and no date shows an order',
    rule: { type: 'date', format: 'MM.dd.yyyy' },
    values: [['9.6.2023', null, 'dateOrder']],
  },
  {
    why: 'bad dates prove that the month comes first',
    rule: date,
    values: [
      ['12/25/2024', '25/12/2024', 'dateOrder'],
      ['03/04/2024'],
      ['3/4/2024', '04/03/2024', 'dateFormat'],
    ],
  },
  {
    why: 'no value shows an order',
    rule: date,
    values: [
      ['03-04-2024', null, 'dateOrder'],
      ['04-04-2024', '04/04/2024', 'dateOrder'],
      ['2024-04-03', '03/04/2024', 'dateFormat'],
    ],
  },
  {
    why: 'the column shows both orders',
    rule: date,
    values: [['13/04/2024'], ['3/4/2024', null, 'dateOrder'], ['03/31/2024', '31/03/2024', 'dateOrder']],
  },
  {
    why: 'valid dates that begin with the year say nothing about others',
    rule: isoDate,
    values: [['2024-12-25'], ['03/04/2024', null, 'dateOrder']],
  },
  {
    why: 'a time of day is cut, unless another zone may make it another day',
    rule: isoDate,
    values: [
      ['2024-03-05 00:00:00', '2024-03-05', 'timeOfDay'],
      ['2024-03-05T10:30', '2024-03-05', 'timeOfDay'],
      ['2024-03-05T00:00:00Z', '2024-03-05', 'timeOfDay'],
      ['2024-03-05T22:30:00Z', null, 'timeOfDay'],
      ['2024-03-05 at 10:30', '2024-03-05', 'timeOfDay'],
      ['Tue Mar 05 2024 00:00:00 GMT+0100 (CET)', '2024-03-05', 'timeOfDay'],
      ['25/03/2024 10:30 PM', '2024-03-25', 'timeOfDay'],
    ],
  },
  ...(['yyyy-MM-dd', 'dd/MM/yyyy', 'd.M.yyyy'] as const).map((format) => ({
    why: `a time in the last minute leaves the day open: ${format}`,
    rule: { type: 'date', format } as const,
    values: [
      ['2020-03-14 23:59:17', null, 'timeOfDay'],
      ['14/03/2020 23:59:59', null, 'timeOfDay'],
      ['14.3.2020 11:59:01 PM', null, 'timeOfDay'],
      ['14 March 2020, 23:59:30.5', null, 'timeOfDay'],
      ['43904.99954', null, 'timeOfDay'],
    ] as const,
  })),
  {
    why: 'a time in the last minute without seconds is a true one, and so are others beside open days',
    rule: isoDate,
    values: [
      ['2020-03-14 23:59:17', null, 'timeOfDay'],
      ['2020-03-15 23:59', '2020-03-15', 'timeOfDay'],
      ['2020-03-16 23:59:00', '2020-03-16', 'timeOfDay'],
      ['2020-03-17 00:00:00', '2020-03-17', 'timeOfDay'],
      ['2020-03-18 23:58:59', '2020-03-18', 'timeOfDay'],
      ['2020-03-19 11:59:17', '2020-03-19', 'timeOfDay'],
    ],
  },
  {
    why: 'all times are what another time zone makes of midnight',
    rule: date,
    values: [
      ['27/01/2021 23:00', null, 'timeOfDay'],
      ['2021-02-27T23:00:00', null, 'timeOfDay'],
      ['07/27/2021 10:00 PM', null, 'timeOfDay'],
      ['27/11/2021 00:00:00', '27/11/2021', 'timeOfDay'],
      ['28/11/2021'],
      ['44223.958333333', null, 'timeOfDay'],
    ],
  },
  {
    why: 'two hours of the evening may be midnight of another time zone, also where other times are there',
    rule: isoDate,
    values: [
      ['2021-01-27 23:00', null, 'timeOfDay'],
      ['28.02.2021 22:00', null, 'timeOfDay'],
      ['2021-03-27 08:15', '2021-03-27', 'timeOfDay'],
      ['44223.958333333', null, 'timeOfDay'],
    ],
  },
  {
    why: 'half past is no whole hour',
    rule: isoDate,
    values: [['2021-01-27 23:30', '2021-01-27', 'timeOfDay']],
  },
  ...(
    [
      ['yyyy-M-d', '2022-05-09'],
      ['d/M/yyyy', '09/05/2022'],
      ['M.d.yyyy', '05.09.2022'],
      ['d-M-yy', '09-05-22'],
    ] as const
  ).map(([format, suggestion]) => ({
    why: `a date in another form gets two digits where the format takes one or two: ${format}`,
    rule: { type: 'date', format } as const,
    values: [
      ['9 May 2022', suggestion, 'dateFormat'],
      ['2022/5/9', suggestion, 'dateFormat'],
      ['20220509', suggestion, 'dateFormat'],
      ['44690', suggestion, 'excelSerial'],
    ] as const,
  })),
  {
    why: 'a date in the form of the field keeps its digits',
    rule: { type: 'date', format: 'd.M.yyyy' },
    values: [
      ['5.3.2024 10:00', '5.3.2024', 'timeOfDay'],
      ['05.03.2024 10:00', '05.03.2024', 'timeOfDay'],
      ['5/13/2024', '13.05.2024', 'dateFormat'],
    ],
  },
  {
    why: 'a swapped date in the form of the field keeps its digits',
    rule: { type: 'date', format: 'd.M.yyyy' },
    values: [
      ['3.25.2024', '25.3.2024', 'dateOrder'],
      ['03.25.2024', '25.03.2024', 'dateOrder'],
    ],
  },
  {
    why: 'the format of the field begins with the year and has the day before the month',
    rule: { type: 'date', format: 'yyyy.dd.MM' },
    values: [
      ['2022.09.05 00:00:00', '2022.09.05', 'timeOfDay'],
      ['2022-09-05 00:00:00', '2022.05.09', 'timeOfDay'],
    ],
  },
  {
    why: 'a month without its day',
    rule: { type: 'date', format: 'M/yyyy' },
    values: [['Jan 2024', '01/2024', 'dateFormat']],
  },
  {
    why: 'days that do not exist have no right value',
    rule: date,
    values: [
      ['31/02/2024', null, 'dateImpossible'],
      ['31-04-2024', null, 'dateImpossible'],
      ['00/00/0000', '', 'placeholder'],
    ],
  },
  {
    why: 'numbers are days where all of them can be',
    rule: date,
    values: [
      ['45123', '16/07/2023', 'excelSerial'],
      ['45123.5', '16/07/2023', 'excelSerial'],
    ],
  },
  {
    why: 'numbers are no days where one of them is a day, month and year without its first zero',
    rule: date,
    values: [
      ['45123', null, 'notADate'],
      ['10524', null, 'notADate'],
    ],
  },
  {
    why: 'numbers are no days where one of them is another number',
    rule: date,
    values: [
      ['45123', null, 'notADate'],
      ['7', null, 'notADate'],
    ],
  },
]

describe('A bad date', () => {
  it.for(columns)('has the right suggestion and kind: $why', async (column) => {
    expect(await suggestionsIn(column)).toEqual(column.values.map((value) => [...value]))
  })
})
