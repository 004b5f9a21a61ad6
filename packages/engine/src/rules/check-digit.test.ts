import { expect, it } from 'vitest'
import { fitsCheckDigit } from './check-digit.ts'

/** As SWIFT publishes them in the IBAN registry, by country: a second list, because one can have a slip. */
const registry = `
  AD 24 AE 23 AL 28 AT 20 AZ 28 BA 20 BE 16 BG 22 BH 22 BI 27 BR 29 BY 28 CH 21 CR 22 CY 28
  CZ 24 DE 22 DJ 27 DK 18 DO 28 EE 20 EG 29 ES 24 FI 18 FK 18 FO 18 FR 27 GB 22 GE 22 GI 23
  GL 18 GR 27 GT 28 HN 28 HR 21 HU 28 IE 22 IL 23 IQ 23 IS 26 IT 27 JO 30 KW 30 KZ 20 LB 28
  LC 32 LI 21 LT 20 LU 20 LV 21 LY 25 MC 27 MD 24 ME 22 MK 19 MN 20 MR 27 MT 31 MU 30 NI 28
  NL 18 NO 15 OM 23 PK 24 PL 28 PS 29 PT 25 QA 29 RO 24 RS 22 RU 33 SA 24 SC 31 SD 18 SE 24
  SI 19 SK 24 SM 27 SO 23 ST 25 SV 28 TL 23 TN 24 TR 26 UA 29 VA 22 VG 24 XK 20 YE 30
`

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** The longest IBAN that the standard allows has 34 characters. */
const lengths = Array.from({ length: 34 - 14 }, (_, index) => index + 15)

/** With the check digits of ISO 7064 for its country. */
function ibanOf(country: string, length: number): string {
  const account = '1'.repeat(length - 4)
  const numbers = [...country].map((letter) => letters.indexOf(letter) + 10).join('')
  const digits = 98n - (BigInt(`${account}${numbers}00`) % 97n)
  return `${country}${String(digits).padStart(2, '0')}${account}`
}

it('An IBAN has the length of its country, and other countries have none', () => {
  const countries = letters.flatMap((first) => letters.map((second) => first + second))
  const found = countries.flatMap((country) =>
    lengths
      .filter((length) => fitsCheckDigit('iban', ibanOf(country, length)))
      .map((length) => `${country} ${length}`),
  )
  expect(found).toEqual(registry.match(/[A-Z]{2} \d{2}/g))
})
