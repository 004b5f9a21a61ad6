import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { apiClient, type ApiClient } from './api-client.ts'
import { asCsv, badClaims, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import { startPortal, type Portal } from './portal.ts'
import { logIn, openTab, rowWith, closeTab } from './visit.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

/** As many as the first page of the history shows. */
const FILES = 8
const CUTS = Number(process.env['FAULT_ROUNDS'] ?? 5)
const names = (of: string) => Array.from({ length: FILES }, (_, index) => `${of} ${index}.csv`)
const isBad = (name: string) => name.includes(' 3.') || name.includes(' 6.')

/** A tab with the history whose live connection goes through `route`. */
async function openHistory(of: Portal, route: (page: WebSocketRoute) => void): Promise<Page> {
  const page = await openTab(browser, of)
  await page.routeWebSocket(/\/ws$/, route)
  await logIn(page, 'clerk@example.com')
  return page
}

async function uploadAll(clerk: ApiClient, of: string): Promise<void> {
  const dictionary = await clerk.dictionary('Medical claims')
  for (const name of names(of)) {
    const bytes = asCsv(isBad(name) ? badClaims : goodClaims)
    await expect(clerk.upload({ name, bytes }, dictionary)).resolves.toMatchObject({ status: 202 })
  }
}

/** Expects that the page shows what the server has: all files in their final status. */
async function expectAllShown(page: Page, of: string): Promise<void> {
  for (const name of names(of))
    await rowWith(page, name)
      .getByText(isBad(name) ? 'Validation error' : 'Success', { exact: true })
      .waitFor()
}

describe('The history', () => {
  it('F22: connects again after each cut, and shows every file as the server has it', async () => {
    let cuts = 0
    let isBroken = true
    const killed = await startPortal(inject('demoData'))
    onTestFinished(() => killed.close())
    const page = await openHistory(killed, (client) => {
      client.connectToServer()
      if (!isBroken) return
      setTimeout(
        () => {
          cuts++
          void client.close()
        },
        30 * (cuts % 10),
      )
    })
    const clerk = await apiClient(killed.url, 'clerk@example.com')
    await uploadAll(clerk, 'cut')
    await expect.poll(() => cuts, { timeout: 20_000 * CUTS }).toBeGreaterThanOrEqual(CUTS)
    await page.context().setOffline(true)
    await uploadAll(clerk, 'asleep')
    await killed.kill()
    await killed.start()
    await clerk.allSettled()
    isBroken = false
    await page.context().setOffline(false)
    await expectAllShown(page, 'asleep')
    await closeTab(page)
  })

  it('F23: shows every file as the server has it although pushes are lost, duplicated and late', async () => {
    const pushes: string[] = []
    let connection: WebSocketRoute | undefined
    const page = await openHistory(portal, (client) => {
      connection = client
      const server = client.connectToServer()
      server.onMessage((message) => {
        const fate = pushes.push(String(message)) % 4
        if (fate === 0) return
        if (fate === 1) client.send(message)
        setTimeout(() => client.send(message), 500 * fate)
      })
    })
    const clerk = await apiClient(portal.url, 'clerk@example.com')
    await uploadAll(clerk, 'lost')
    await clerk.allSettled()
    await sleep(2_000)
    const closed = connection!
    await closed.close()
    await expectAllShown(page, 'lost')
    // All of them again, the oldest last, on the connection that followed.
    await expect.poll(() => connection !== closed).toBe(true)
    for (const push of pushes.toReversed()) connection!.send(push)
    await sleep(1_000)
    await expectAllShown(page, 'lost')
    await closeTab(page)
  })
})
