import { describe, expect, it } from 'vitest'
import { uploadNameKey } from '#notation/upload-name.ts'

describe('Names of uploads', () => {
  it.for([
    { names: ['claims.csv', 'claims.xlsx'], why: 'another kind of file' },
    { names: ['Claims.csv', 'claims.CSV'], why: 'letter case' },
    { names: ['claims.csv', 'claims (1).csv', 'claims (12).csv'], why: 'a download of the same name' },
    { names: ['claims.csv', 'claims - Copy.csv', 'claims - Copy (2).csv'], why: 'a copy of the Explorer' },
    { names: ['claims.csv', 'claims-corrected.csv', 'claims-corrected (1).csv'], why: 'our corrected copy' },
    { names: ['claims.csv', 'claims (corrected).csv', 'claims [fixed] (1).csv'], why: 'words in brackets' },
    { names: ['claims.csv', 'Copy of claims.csv', 'Kopie von claims_neu.csv'], why: 'words before it' },
    { names: ['claims.csv', 'claims_v2.csv', 'claims final v3.csv'], why: 'versions' },
    { names: ['claims 2024-05.csv', 'claims_2024-05_fixed.xlsx'], why: 'another separator' },
  ])('are nearly the same: $why', ({ names }) => {
    expect(new Set(names.map(uploadNameKey)).size).toBe(1)
  })

  it.for([
    { names: ['claims 2024-05.csv', 'claims 2024-06.csv'], why: 'two months' },
    { names: ['claims.csv', 'members.csv'], why: 'other names' },
    { names: ['north1.csv', 'north2.csv'], why: 'numbered regions' },
    { names: ['new.csv', 'final.csv'], why: 'nothing but an addition' },
  ])('are different: $why', ({ names }) => {
    expect(new Set(names.map(uploadNameKey)).size).toBe(names.length)
  })

  it('are compared at once, though a name is nothing but separators', () => {
    // A report compares its name with those of a thousand uploads: this took a minute.
    const names = Array.from({ length: 1000 }, (_, index) => `a${'-'.repeat(4000)}${index}x.csv`)
    expect(new Set(names.map(uploadNameKey)).size).toBe(names.length)
  })
})
