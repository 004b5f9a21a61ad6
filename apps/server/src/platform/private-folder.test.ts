import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePrivateFolder } from '#platform/private-folder.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'veridict-private-'))
})
afterAll(() => rmSync(root, { recursive: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('A private folder', () => {
  it('is made for its owner only, below folders that others can pass', () => {
    const folder = join(root, 'a/b/data')
    makePrivateFolder(folder)
    expect([folder, join(root, 'a/b'), join(root, 'a')].map(modeOf)).toEqual(['700', '711', '711'])
  })

  it('closes a folder that all accounts could read', () => {
    const folder = join(root, 'open')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    makePrivateFolder(folder)
    expect(modeOf(folder)).toBe('700')
  })

  it('lets others pass where the database of another account is inside', () => {
    const folder = join(root, 'passable')
    makePrivateFolder(folder, true)
    expect(modeOf(folder)).toBe('711')
  })

  it('never opens a folder that was closed', () => {
    const folder = join(root, 'closed')
    mkdirSync(folder, { mode: 0o700 })
    makePrivateFolder(folder, true)
    expect(modeOf(folder)).toBe('700')
  })

  it('leaves the folders above an existing one alone', () => {
    const above = join(root, 'above')
    mkdirSync(above)
    chmodSync(above, 0o755)
    makePrivateFolder(join(above, 'data'))
    expect(modeOf(above)).toBe('755')
  })

  it('is not made of a folder that all accounts share, such as /tmp', () => {
    const shared = join(root, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    expect(() => makePrivateFolder(shared)).toThrow('is shared by all accounts of this machine')
    expect(statSync(shared).mode & 0o7777).toBe(0o1777)
  })
})
