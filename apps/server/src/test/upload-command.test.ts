import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import type { TokenScope } from '@veridict/contract/model/token-scope'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCompany, buildCompanyToken, buildDictionary } from '#test/factories.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'
import { startWholePortal, type WholePortal } from '#test/whole-portal.ts'

/** `veridict upload` and a webhook against the whole portal, without a mock. */
const main = fileURLToPath(new URL('../../../cli/src/main.mjs', import.meta.url))

let folder: string
let portal: WholePortal
let receiver: WebhookReceiver
let secret: string
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridict-upload-'))
  portal = await startWholePortal()
  const { deps } = portal
  const company = await buildCompany(deps.db)
  await buildDictionary(deps.db, { name: 'Claims', companyId: company.id })
  token = (await buildCompanyToken(deps, company.id)).token
  receiver = await startWebhookReceiver()
  const sealed = { secretSalt: deps.ids.secret(), sealedSecret: null }
  secret = deps.tokens.webhookSecret(sealed)
  const webhook = { companyId: company.id, url: receiver.url, ...sealed }
  await deps.db.insertInto('webhooks').values(webhook).execute()
})
afterAll(async () => {
  await portal.close()
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(name: string, content: string, ...more: string[]) {
  const path = join(folder, name)
  await writeFile(path, content)
  const url = `http://${portal.host}/`
  const args = [main, 'upload', path, '--dictionary', 'Claims', '--url', url, ...more]
  const env = { ...process.env, VERIDICT_TOKEN: token }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => child.once('exit', done)),
  ])
  return { code, out, errors }
}

const good = 'Name,Amount\nAda,1.50\nGrace,2\n'
const bad = 'Name,Amount\nAda,one\n,two\nGrace,three\n'

describe('veridict upload', () => {
  it('is accepted, and the webhook gets one signed message', async () => {
    // The first attempt fails, the second one comes within 10 s.
    receiver.respond = (response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 204).end()
    }
    const { code, out, errors } = await upload('good.csv', good, '--wait', '--json')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const result = JSON.parse(out)
    expect(result).toMatchObject({ fileName: 'good.csv', status: 4, recordsCount: 2, causes: [] })
    await expect.poll(() => receiver.received.length).toBe(2)
    const [first, second] = receiver.received
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(new Webhook(secret).verify(second.body, second.headers as Record<string, string>)).toMatchObject({
      type: 'submission.final',
      data: { id: result.id, fileName: 'good.csv', status: 4, recordsCount: 2, errorRowCount: null },
    })
  })

  it('without --wait ends when the file is taken', async () => {
    const { code, out } = await upload('good.csv', good, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ id: expect.any(Number), fileName: 'good.csv', status: 0 })
  })

  it('exits with 1 and prints counts and causes of a file with errors', async () => {
    const { code, out } = await upload('bad.csv', bad, '--wait')
    expect(code).toBe(1)
    expect(out).toContain(
      'Not passed: bad.csv, 3 rows of 3 with errors, 4 bad cells.\n\nFix these 2 causes and all ',
    )
    expect(out).toMatch(/^ +3 {2}B {2}All 3 values of "Amount" are not numbers\.\n.*\n.*Correct these cells/m)
    expect(out).toMatch(/^Report: http:\/\/127\.0\.0\.1:\d+\/home\/fileError\/\d+$/m)
    const json = await upload('bad.csv', bad, '--wait', '--json')
    expect(json.code).toBe(1)
    const { status, errorType, errorRowCount, cellErrorCount, causes } = JSON.parse(json.out)
    expect({ status, errorType, errorRowCount, cellErrorCount }).toEqual({
      status: 2,
      errorType: 0,
      errorRowCount: 3,
      cellErrorCount: 4,
    })
    expect(causes.map(({ cells }: { cells: number }) => cells)).toEqual([3, 1])
  })

  it('exits with 1 for a file problem', async () => {
    const { code, out } = await upload('header.csv', 'Nome,Amount\nAda,1\n', '--wait')
    expect(code).toBe(1)
    expect(out).toContain('Not passed: header.csv')
    expect(out).toContain('"Nome"')
  })

  it('says that there are errors, and not which, with a token that may only upload', async () => {
    const { db, tokens } = portal.deps
    const rights = (scope: TokenScope) =>
      db
        .updateTable('companyTokens')
        .set({ scope })
        .where('tokenHash', '=', tokens.hashSecret(token))
        .execute()
    await rights('upload')
    expect(await upload('good.csv', good, '--wait')).toMatchObject({ code: 0 })
    const { code, out } = await upload('bad.csv', 'Name,Amount\nAda,x\n', '--wait')
    expect(code).toBe(1)
    expect(out).toMatch(
      /^Not passed: bad\.csv, 1 row with errors\.\nThis token .*\n\nReport: http:\S+\/fileError\/\d+\n$/,
    )
    const json = await upload('header.csv', 'Nome,Amount\nAda,1\n', '--wait', '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({
      status: 2,
      errorType: 1,
      errorMessage: expect.stringContaining('This token'),
      errorRowCount: null,
      causes: [],
    })
    await rights('read')
    expect(await upload('good.csv', good)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('This token may read files'),
    })
    await rights('both')
  })

  it('exits with 2 when the portal refuses the file or the token', async () => {
    expect(await upload('empty.csv', '')).toMatchObject({
      code: 2,
      errors: 'The portal refused: The file is empty. Please select a file with data.\n',
    })
    const { db, tokens } = portal.deps
    const tokenHash = tokens.hashSecret(token)
    await db
      .updateTable('companyTokens')
      .set({ revokedAt: new Date() })
      .where('tokenHash', '=', tokenHash)
      .execute()
    expect(await upload('good.csv', good)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('The token is wrong, has expired or was revoked.'),
    })
  })
})
