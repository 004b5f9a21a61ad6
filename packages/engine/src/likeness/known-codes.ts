/** Two letters for each country, as in ISO 3166-1, and those that are in use beside them. */
const COUNTRIES = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
    'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ' +
    'ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT ' +
    'HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS ' +
    'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI ' +
    'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG ' +
    'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
    'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW EL UK XK'
  ).split(' '),
)
/** States of the United States with their territories, and provinces of Canada. */
const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY ' +
    'NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AB BC MB NB NL NS NT NU ON PE ' +
    'QC SK YT'
  ).split(' '),
)
/** Currencies in which most money is counted, as in ISO 4217. */
const CURRENCIES = new Set(
  (
    'AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK DZD EGP EUR GBP GEL GHS HKD HUF IDR ILS INR ' +
    'ISK JOD JPY KES KRW KWD KZT LBP LKR MAD MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN QAR RON RSD RUB ' +
    'SAR SEK SGD THB TND TRY TWD TZS UAH UGX USD UYU UZS VND XAF XOF ZAR ZMW'
  ).split(' '),
)
const SIZES = new Set('XXXS XXS XS S M L XL XXL XXXL XXXXL 2XS 3XS 2XL 3XL 4XL 5XL'.split(' '))

const FAMILIES = [COUNTRIES, STATES, CURRENCIES, SIZES]
const FEWEST_CODES = 3

/**
 * Whether a value is a code that a list of such codes does not have: in a list of countries, SE is Sweden and
 * no slip for ES; in one of states, TN is Tennessee and no slip for TX. The list decides: all of its options
 * as long as a code of the family are codes of it.
 */
export function isOtherCode(options: readonly string[], value: string): boolean {
  const code = value.toUpperCase()
  return FAMILIES.some((family) => {
    if (!family.has(code)) return false
    const longest = Math.max(...[...family].map(({ length }) => length))
    const short = options.filter((option) => option.length <= longest)
    return short.length >= FEWEST_CODES && short.every((option) => family.has(option.toUpperCase()))
  })
}
