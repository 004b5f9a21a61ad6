import { describe, expect, it } from 'vitest'
import { NearestOption } from '#likeness/nearest-option.ts'

const nearestOf = (text: string, option: string) => new NearestOption([option]).to(text)

describe('A text that looks like an option', () => {
  it.for([
    ['Unpaid', 'Paid'],
    ['Inactive', 'Active'],
    ['Disabled', 'Enabled'],
    ['Nonsmoker', 'Smoker'],
    ['Atypical', 'Typical'],
    ['Invoice unpaid', 'Invoice paid'],
    ['Unverified adress', 'Verified address'],
    ['Incomplete form', 'Complete form'],
    ['VAT excluded', 'VAT included'],
    ['Import', 'Export'],
    ['Increase', 'Decrease'],
    ['Internal', 'External'],
    ['Hypotension', 'Hypertension'],
    ['Unilateral', 'Bilateral'],
    ['Abduction', 'Adduction'],
    ['Employer', 'Employee'],
    ['Credit', 'Debit'],
    ['Northern', 'Southern'],
    ['Min value', 'Max value'],
    ['Line 4', 'Line 2'],
    ['Line 12', 'Line 2'],
    ['Line two', 'Line one'],
    ['Third floor', 'First floor'],
    ['Grade B', 'Grade A'],
    ['Type III', 'Type II'],
    ['June report', 'July report'],
    ['Death date', 'Birth date'],
  ])('is not it, as it says something else: %s, %s', ([text, option]) => {
    expect(nearestOf(text, option)).toBeNull()
    expect(nearestOf(option, text)).toBeNull()
  })

  it.for([
    ['Activ', 'Active'],
    ['Inactve', 'Inactive'],
    ['Aactive', 'Active'],
    ['Unnited States', 'United States'],
    ['Inssurance', 'Insurance'],
    ['Disbaled', 'Disabled'],
    ['Nonsmokr', 'Non-smoker'],
    ['Empolyee', 'Employee'],
    ['Lien 4', 'Line 4'],
    ['Surgxry within 24 hours', 'Surgery within 24 hours'],
    ['Januray report', 'January report'],
    ['Diseaes', 'Disease'],
  ])('is it, misspelt: %s, %s', ([text, option]) => {
    expect(nearestOf(text, option)).toBe(option)
  })
})
