import { describe, expect, it } from 'vitest'
import { errorsIn, type SuggestedColumn, suggestionsIn } from '../../test/suggested-column.ts'

const list = {
  type: 'list',
  options: ['Professional', 'Open', 'Closed', 'Follow-up', 'Pending review', 'Café', 'Paid'],
} as const

const ranges = { type: 'list', options: ['2-6', '6-10', '10-14', '10-15', '10-45', '14-18', '18+'] } as const
const genes = { type: 'list', options: ['SEPT9', 'MARCH1', 'DEC1', 'OCT4', 'TP53'] } as const

const columns: SuggestedColumn[] = [
  {
    why: 'a spreadsheet has made dates of ranges',
    rule: ranges,
    values: [
      ['6-Feb', '2-6', 'codeAsDate'],
      ['2-Jun', '2-6', 'codeAsDate'],
      ['10. Jun', '6-10', 'codeAsDate'],
      ['06-Okt', '6-10', 'codeAsDate'],
      ['Oct-15', '10-15', 'codeAsDate'],
      ['15-Oct', '10-15', 'codeAsDate'],
      ['Oct-45', '10-45', 'codeAsDate'],
      ['2024-10-14', '10-14', 'codeAsDate'],
      ['2015-10-01', '10-15', 'codeAsDate'],
      ['2024-02-06 00:00:00', '2-6', 'codeAsDate'],
      ['6/2/2024', '2-6', 'codeAsDate'],
      ['7-Aug', null, 'codeAsDate'],
      ['7-8', null, 'notInList'],
      ['2 - 6', '2-6', 'variant'],
      ['6-Foo', null, 'notInList'],
      ['2024-13-40', null, 'notInList'],
    ],
  },
  {
    why: 'a date can have been two ratios',
    rule: { type: 'list', options: ['1/2', '2/1', '2/3', '5/20', '20/5'] },
    values: [
      ['2-Jan', null, 'codeAsDate'],
      ['3-Feb', '2/3', 'codeAsDate'],
      ['2. März', '2/3', 'codeAsDate'],
      ['20-May', null, 'codeAsDate'],
    ],
  },
  {
    why: 'a spreadsheet has made dates of names',
    rule: genes,
    values: [
      ['9-Sep', 'SEPT9', 'codeAsDate'],
      ['Sep-9', 'SEPT9', 'codeAsDate'],
      ['1-Mar', 'MARCH1', 'codeAsDate'],
      ['2024-12-01', 'DEC1', 'codeAsDate'],
      ['4-Oct-24', 'OCT4', 'codeAsDate'],
      ['2-Sep', null, 'codeAsDate'],
      ['sept9', 'SEPT9', 'letterCase'],
      ['TP-53', 'TP53', 'variant'],
    ],
  },
  {
    why: 'months with their years',
    rule: { type: 'list', options: ['Jan 2024', 'Feb 2024', 'Jan 2025'] },
    values: [
      ['Jan-24', 'Jan 2024', 'codeAsDate'],
      ['2025-01-01', 'Jan 2025', 'codeAsDate'],
      ['Mar-24', null, 'codeAsDate'],
    ],
  },
  {
    why: 'a list without an item that could be a date',
    rule: { type: 'list', options: ['18-24', '25-34', '0-5', 'A1'] },
    values: [
      ['6-Feb', null, 'notInList'],
      ['2024-02-06', null, 'notInList'],
    ],
  },
  {
    // First: whether a family is found must not depend on the lists before this one.
    why: 'names of a known family with other signs',
    rule: { type: 'list', options: ['New-York', 'New-Jersey', 'New-Mexico', 'Rhode-Island'] },
    values: [['NY', 'New-York', 'variant']],
  },
  {
    why: 'a code in front of the label of another code of the description',
    description: '1 = Low, 2 = Medium, 3 = High',
    rule: { type: 'list', options: ['Low', 'Medium', 'High'] },
    values: [
      ['3 - Low', null, 'notInList'],
      ['1 - Low', 'Low', 'variant'],
      ['2', 'Medium', 'variant'],
    ],
  },
  {
    why: 'the description gives the codes another meaning than usual',
    description: 'M = mother, F = father',
    rule: { type: 'list', options: ['M', 'F'] },
    values: [
      ['female', null, 'notInList'],
      ['mother', 'M', 'variant'],
    ],
  },
  {
    why: 'a placeholder in the words for an item',
    description: 'P = paid, N = not paid or unknown',
    rule: { type: 'list', options: ['P', 'N'] },
    values: [
      ['unknown', null, 'notInList'],
      ['Unknown', null, 'notInList'],
      ['n/a', '', 'placeholder'],
    ],
  },
  {
    why: 'digits with a point between them are other digits without it',
    rule: { type: 'list', options: ['v1.0', 'v1.1', 'v2.0'] },
    values: [
      ['v11', null, 'notInList'],
      ['v1,1', 'v1.1', 'variant'],
      ['V 2.0', 'v2.0', 'variant'],
    ],
  },
  {
    why: 'numbers in another form',
    rule: { type: 'list', options: ['0.5', '1.0', '1.5', '1000'] },
    values: [
      ['0,5', '0.5', 'variant'],
      ['1', '1.0', 'variant'],
      ['1.50', '1.5', 'variant'],
      ['15', null, 'notInList'],
      ['1,000', null, 'notInList'],
    ],
  },
  {
    why: 'the beginning of one item, and near to another',
    rule: { type: 'list', options: ['Red', 'Grey', 'Gray blue'] },
    values: [['gray', null, 'notInList']],
  },
  {
    why: 'the code or the label alone',
    rule: { type: 'list', options: ['1 - Low', '2 - High', '9 - None'] },
    values: [
      ['Low', '1 - Low', 'variant'],
      ['HIGH', '2 - High', 'variant'],
      ['2', '2 - High', 'variant'],
      ['none', '9 - None', 'variant'],
      ['n/a', '', 'placeholder'],
      ['3', null, 'notInList'],
    ],
  },
  {
    why: 'a code or a label of two options',
    rule: { type: 'list', options: ['1 - Low', '1 - High', '2 - High'] },
    values: [
      ['1', null, 'notInList'],
      ['High', null, 'notInList'],
      ['Low', '1 - Low', 'variant'],
    ],
  },
  {
    why: 'the description says what the options mean',
    description: 'State of the claim: N = new, A = adjusted and V = voided. U: unknown',
    rule: { type: 'list', options: ['N', 'A', 'V', 'U'] },
    values: [
      ['new', 'N', 'variant'],
      ['Adjusted', 'A', 'variant'],
      ['voided', 'V', 'variant'],
      ['unknown', 'U', 'variant'],
      ['open', null, 'notInList'],
    ],
  },
  {
    why: 'the description says the opposite of what is usual',
    description: '0 = yes, 1 = no',
    rule: { type: 'list', options: ['0', '1'] },
    values: [
      ['Yes', '0', 'variant'],
      ['no', '1', 'variant'],
    ],
  },
  {
    why: 'the description has the options in brackets',
    description: 'Either active (A) or on leave (L); retired people (R) are left out.',
    rule: { type: 'list', options: ['A', 'L'] },
    values: [
      ['Active', 'A', 'variant'],
      ['on leave', 'L', 'variant'],
      ['retired', null, 'notInList'],
    ],
  },
  {
    why: 'the description gives codes another meaning than they mostly have',
    description: '0 = yes, 1 = no',
    rule: { type: 'list', options: ['0', '1'] },
    values: [
      ['yes', '0', 'variant'],
      ['No', '1', 'variant'],
      ['Y', '0', 'variant'],
      ['true', '0', 'variant'],
      ['0 - Yes', '0', 'variant'],
      ['1 - Yes', null, 'notInList'],
    ],
  },
  {
    why: 'numbers of a description are read whole',
    description: '1 = 10,000 EUR, 2 = 12.5 mg',
    rule: { type: 'list', options: ['1', '2'] },
    values: [
      ['10', null, 'notInList'],
      ['12', null, 'notInList'],
      ['10,000 EUR', '1', 'variant'],
      ['12.5 mg', '2', 'variant'],
    ],
  },
  {
    why: 'the description has two names for an option, of which one could be an empty cell',
    description: '0: km/h or mph; 1: married or widowed; 2: not late or paid; 9: unknown/missing',
    rule: { type: 'list', options: ['0', '1', '2', '9'] },
    values: [
      ['unknown', '9', 'variant'],
      ['Missing', '9', 'variant'],
      ['unknown/missing', '9', 'variant'],
      ['widowed', '1', 'variant'],
      ['km', null, 'notInList'],
      ['paid', null, 'notInList'],
    ],
  },
  {
    why: 'the description only names the options',
    description: 'Size of the shirt. A is not a size: ask for one.',
    rule: { type: 'list', options: ['A', 'B'] },
    values: [['not a size', null, 'notInList']],
  },
  {
    why: 'months of a list',
    rule: {
      type: 'list',
      options: 'January February March April May June July August September October November December'.split(
        ' ',
      ),
    },
    values: [
      ['März', 'March', 'variant'],
      ['Sept.', 'September', 'variant'],
      ['3', 'March', 'variant'],
      ['12', 'December', 'variant'],
      ['13', null, 'notInList'],
    ],
  },
  {
    why: 'names of countries and states for their codes, and codes for names',
    rule: { type: 'list', options: ['DE', 'FR', 'AT', 'Other'] },
    values: [
      ['Germany', 'DE', 'variant'],
      ['Österreich', 'AT', 'variant'],
      ['FRA', 'FR', 'variant'],
      ['Spain', null, 'notInList'],
      ['Delaware', null, 'notInList'],
    ],
  },
  {
    why: 'a list of countries by name',
    rule: { type: 'list', options: ['Germany', 'India', 'Norway', 'United States'] },
    values: [
      ['DE', 'Germany', 'variant'],
      ['U.S.', 'United States', 'variant'],
      ['USA', 'United States', 'variant'],
      ['in', null, 'notInList'],
      ['no', null, 'notInList'],
    ],
  },
  {
    why: 'the name of another country is no slip of the keyboard',
    rule: { type: 'list', options: ['Germany', 'Austria', 'Iceland', 'Slovakia'] },
    values: [
      ['Australia', null, 'notInList'],
      ['Ireland', null, 'notInList'],
      ['Slovenia', null, 'notInList'],
      ['Slowakia', 'Slovakia', 'misspelt'],
      ['Autria', 'Austria', 'misspelt'],
    ],
  },
  {
    why: 'a month that is not in the list is no slip of the keyboard',
    rule: { type: 'list', options: ['Jan', 'Feb', 'Mar', 'Apr'] },
    values: [
      ['mai', null, 'notInList'],
      ['May', null, 'notInList'],
      ['Marz', 'Mar', 'variant'],
    ],
  },
  {
    why: 'a list of codes that are states as well as countries',
    rule: { type: 'list', options: ['CA', 'DE', 'IN'] },
    values: [
      ['Texas', null, 'notInList'],
      ['Indiana', 'IN', 'variant'],
    ],
  },
  {
    why: 'signs of currencies',
    rule: { type: 'list', options: ['EUR', 'USD', 'GBP'] },
    values: [
      ['€', 'EUR', 'variant'],
      ['$', 'USD', 'variant'],
    ],
  },
  {
    why: 'the sign of two currencies',
    rule: { type: 'list', options: ['EUR', 'USD', 'CAD'] },
    values: [
      ['$', null, 'notInList'],
      ['US$', 'USD', 'variant'],
    ],
  },
  {
    why: 'words that are one letter from No, and mean something else',
    rule: { type: 'list', options: ['Yes', 'No'] },
    values: [
      ['to', null, 'notInList'],
      ['ano', null, 'notInList'],
      ['noo', 'No', 'misspelt'],
    ],
  },
  {
    why: 'values of a list, written in another way',
    rule: list,
    values: [
      ['open', 'Open', 'letterCase'],
      ['"Open"', 'Open', 'quotes'],
      ['Pending\u00a0\u00a0review', 'Pending review', 'spaces'],
      ['Open\u200b', 'Open', 'spaces'],
      ['Follow up', 'Follow-up', 'variant'],
      ['cafe', 'Café', 'variant'],
    ],
  },
  {
    why: 'misspelt values of a list',
    rule: list,
    values: [
      ['Profesional', 'Professional', 'misspelt'],
      ['profesionall', 'Professional', 'misspelt'],
      ['Oepn', 'Open', 'misspelt'],
      ['Pend', 'Pending review', 'misspelt'],
      ['Unpaid', null, 'notInList'],
      ['Opened', null, 'notInList'],
      ['Denied', null, 'notInList'],
    ],
  },
  {
    why: 'long values of a list in which one letter was replaced everywhere',
    rule: {
      type: 'list',
      options: [
        'Patients given aspirin at arrival',
        'Patients given aspirin at discharge',
        'Hypertension with heart disease',
        'Surgery within 24 hours of admission',
        'Surgery within 48 hours of admission',
        'Annual visit at the eye clinic',
        'Annual check at the eye clinic',
      ],
    },
    values: [
      ['Pxtients given xspirin xt xrrivxl', 'Patients given aspirin at arrival', 'misspelt'],
      ['Paxienxs given aspirin ax discharge', 'Patients given aspirin at discharge', 'misspelt'],
      ['Patientsxgivenxaspirinxatxarrival', 'Patients given aspirin at arrival', 'misspelt'],
      ['Hypertension with renal disease', null, 'notInList'],
      ['Surgexy within 36 houxs of admixxion', null, 'notInList'],
      ['Surgxry within 24 xours of xdmixsion', 'Surgery within 24 hours of admission', 'misspelt'],
      ['Annuxl vxsxt xt the xye clinic', 'Annual visit at the eye clinic', 'misspelt'],
      ['Annuxl xxxxx xt the xye clinic', null, 'notInList'],
    ],
  },
  {
    why: 'the code of another country is no slip of the keyboard',
    rule: { type: 'list', options: ['DE', 'FR', 'GB', 'US', 'NL', 'ES'] },
    values: [
      ['UK', 'GB', 'variant'],
      ['SE', null, 'notInList'],
      ['NLD', 'NL', 'variant'],
      ['DX', 'DE', 'misspelt'],
    ],
  },
  {
    why: 'the code of another state is no slip of the keyboard',
    rule: { type: 'list', options: ['CA', 'TX', 'NY', 'OR', 'WA'] },
    values: [
      ['TN', null, 'notInList'],
      ['OK', null, 'notInList'],
      ['QX', 'TX', 'misspelt'],
    ],
  },
  {
    why: 'the code of another currency is no slip of the keyboard',
    rule: { type: 'list', options: ['USD', 'EUR', 'GBP', 'CHF'] },
    values: [
      ['AUD', null, 'notInList'],
      ['EUT', 'EUR', 'misspelt'],
    ],
  },
  {
    why: 'another size is no slip of the keyboard',
    rule: { type: 'list', options: ['S', 'M', 'L', 'XL', 'XXL'] },
    values: [['XXXL', null, 'notInList']],
  },
  {
    why: 'a word that means neither Yes nor No is no slip for them, and a doubt is none',
    rule: { type: 'list', options: ['Yes', 'No'] },
    values: [
      ['Now', null, 'notInList'],
      ['Not', null, 'notInList'],
      ['yet', null, 'notInList'],
      ['Yes?', null, 'notInList'],
      ['Noo', 'No', 'misspelt'],
    ],
  },
  {
    why: 'a value made of words of other options is another value',
    rule: {
      type: 'list',
      options: ['North East', 'South West', '8:40 a.m.', '9:15 p.m.', 'Type A', 'Class B'],
    },
    values: [
      ['North West', null, 'notInList'],
      ['8:40 p.m.', null, 'notInList'],
      ['Type B', null, 'notInList'],
      ['Norht East', 'North East', 'misspelt'],
    ],
  },
  {
    why: 'short codes where exactly one option is nearest',
    rule: { type: 'list', options: ['AL', 'AK', 'CA', 'AMI-1', 'AMI-2'] },
    values: [
      ['xL', 'AL', 'misspelt'],
      ['CAx', 'CA', 'misspelt'],
      ['Ax', null, 'notInList'],
      ['AMI-x', null, 'notInList'],
      ['AMI-3', null, 'notInList'],
      ['AMX-1', 'AMI-1', 'misspelt'],
    ],
  },
  {
    why: 'an option of the list that reads like a placeholder',
    rule: { type: 'list', options: ['Yes', 'No', 'Unknown', 'N/A'] },
    values: [
      ['unknown', 'Unknown', 'letterCase'],
      ['n/a', 'N/A', 'letterCase'],
      ['"Unknown"', 'Unknown', 'quotes'],
      ['null', '', 'placeholder'],
    ],
  },
  {
    why: 'another option begins as the value does, or the difference is a sign',
    rule: { type: 'list', options: ['May', 'March', 'A', 'A+', 'B', '<5', '5-9', '>10'] },
    values: [
      ['Mar', null, 'notInList'],
      ['Ma', null, 'notInList'],
      ['Marhc', 'March', 'misspelt'],
      ['A-', null, 'notInList'],
      ['B\u2212', null, 'notInList'],
      ['>5', null, 'notInList'],
      ['<10', null, 'notInList'],
      ['10', null, 'notInList'],
      ['5 9', '5-9', 'variant'],
    ],
  },
  {
    why: 'words for yes and no, where the list has both',
    rule: { type: 'list', options: ['Yes', 'No'] },
    values: [
      ['Y', 'Yes', 'variant'],
      ['FALSE', 'No', 'variant'],
      ['1', 'Yes', 'variant'],
      ['0.0', 'No', 'variant'],
      ['on', 'Yes', 'variant'],
      ['Falsch', 'No', 'variant'],
      ['maybe', null, 'notInList'],
    ],
  },
  {
    why: 'words for yes and no say nothing where F is female',
    rule: { type: 'list', options: ['M', 'F'] },
    values: [
      ['Male', 'M', 'variant'],
      ['w', 'F', 'variant'],
      ['0', null, 'notInList'],
      ['no', null, 'notInList'],
      ['N', null, 'notInList'],
    ],
  },
  {
    why: 'words for women say nothing where F is false',
    rule: { type: 'list', options: ['T', 'F'] },
    values: [
      ['yes', 'T', 'variant'],
      ['woman', null, 'notInList'],
    ],
  },
  {
    why: 'a word with another meaning is no slip of the keyboard',
    rule: { type: 'list', options: ['No', 'Low', 'High'] },
    values: [['on', null, 'notInList']],
  },
  {
    why: 'a label with its code',
    rule: { type: 'list', options: ['Open', 'Closed', 'In work'] },
    values: [
      ['1 - Open', 'Open', 'variant'],
      ['2: closed', 'Closed', 'variant'],
      ['C. In work', 'In work', 'variant'],
      ['Open (1)', 'Open', 'variant'],
      ['Open [1]', 'Open', 'variant'],
      ['1 | Open', 'Open', 'variant'],
      ['1 – Open', 'Open', 'variant'],
      ['Open_x000D_', 'Open', 'spaces'],
      ['Not - Open', null, 'notInList'],
      ['Open - Closed', null, 'notInList'],
      ['Open (new)', null, 'notInList'],
      ['Open; Closed', null, 'notInList'],
    ],
  },
  {
    why: 'a code with its label',
    rule: { type: 'list', options: ['1', '2', 'A', 'A+'] },
    values: [
      ['1 - Open', '1', 'variant'],
      ['Closed (2)', '2', 'variant'],
      ['1 - 2', null, 'notInList'],
      ['2 - 5 years', null, 'notInList'],
      ['1) or 2', null, 'notInList'],
      ['1 - half', null, 'notInList'],
      ['A - not valid', null, 'notInList'],
      ['A. Smith', null, 'notInList'],
      ['A: A+', null, 'notInList'],
    ],
  },
  {
    why: 'a code that contradicts its label',
    rule: { type: 'list', options: ['Male', 'Female'] },
    values: [
      ['M - Male', 'Male', 'variant'],
      ['2 - Female', 'Female', 'variant'],
      ['F - Female', 'Female', 'variant'],
      ['W - Female', 'Female', 'variant'],
      ['F - Male', null, 'notInList'],
      ['Female (m)', null, 'notInList'],
    ],
  },
  {
    why: 'a code of the list that its label contradicts',
    rule: { type: 'list', options: ['M', 'F'] },
    values: [
      ['M - Male', 'M', 'variant'],
      ['F - Female', 'F', 'variant'],
      ['F - Male', null, 'notInList'],
      ['Female [M]', null, 'notInList'],
    ],
  },
  {
    why: 'a code by a label that says no',
    rule: { type: 'list', options: ['1', '2', '9'] },
    values: [
      ['1 - Yes', '1', 'variant'],
      ['2 - No', '2', 'variant'],
      ['2: Non', '2', 'variant'],
      ['2 - no 9', null, 'notInList'],
      ['2 - no entry', null, 'notInList'],
    ],
  },
  {
    why: 'letters that another program broke',
    rule: { type: 'list', options: ['München', 'Zürich', 'Ägypten', 'Tom & Jerry', 'A – B', '5 €'] },
    values: [
      ['MÃ¼nchen', 'München', 'brokenLetters'],
      ['mÃ¼nchen', 'München', 'letterCase'],
      ['A â€“ B', 'A – B', 'brokenLetters'],
      ['5 â‚¬', '5 €', 'brokenLetters'],
      ['Z?rich', 'Zürich', 'brokenLetters'],
      ['M?NCHEN', 'München', 'brokenLetters'],
      ['Z?rch', null, 'notInList'],
      ['Zurich?', null, 'notInList'],
      ['Z&uuml;rich', 'Zürich', 'brokenLetters'],
      ['&Auml;gypten', 'Ägypten', 'brokenLetters'],
      ['Tom &amp; Jerry', 'Tom & Jerry', 'brokenLetters'],
      ['Tom &#38; Jerry', 'Tom & Jerry', 'brokenLetters'],
      ['&uuml;ber', null, 'notInList'],
      ['Ã¼ber', null, 'notInList'],
    ],
  },
  {
    why: 'a list of numbers is not a list of words',
    rule: { type: 'list', options: ['100', '200'] },
    values: [
      ['101', null, 'notInList'],
      ['100.0', '100', 'variant'],
    ],
  },
]

describe('A value that is not in the list', () => {
  it.for(columns)('has the right suggestion and kind: $why', async (column) => {
    expect(await suggestionsIn(column)).toEqual(column.values.map((value) => [...value]))
  })

  it.for(columns)('is asked about only with its suggestion: $why', async (column) => {
    for (const { error, suggestion } of await errorsIn(column)) {
      const asked = /did you mean "(.*)"\?$/.exec(error)?.[1]
      if (asked !== undefined) expect(asked).toBe(suggestion)
    }
  })
})
