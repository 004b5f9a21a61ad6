import type { Field } from '@veridict/contract/model/field'
import { writeDictionary } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import { actionOf, button, dialog, field, logIn, openInPage, openNextInPage, XLSX } from './visit.ts'

const FIELDS = 30
type Point = { x: number; y: number }

let page: Page
let fingers: CDPSession
/** Of the dictionary. */
let path: string

beginJourneys(async (portal, browser) => {
  const context = await browser.newContext({
    baseURL: portal.url,
    viewport: { width: 1280, height: 844 },
    hasTouch: true,
  })
  context.setDefaultTimeout(30_000)
  page = await context.newPage()
  fingers = await context.newCDPSession(page)
  await logIn(page, 'admin@example.com')
  const fields = Array.from({ length: FIELDS }, (_, index): Field => {
    const rule = { type: 'text' } as const
    return { name: `Column ${index + 1}`, description: '', category: '', required: false, rule }
  })
  const chunks = await Array.fromAsync(writeDictionary({ name: 'Columns', fields }, nodePlatform()))
  await openInPage(page, '/home/dictionary/importdictionaries')
  await field(page, 'File').setInputFiles({
    name: 'columns.xlsx',
    mimeType: XLSX,
    buffer: Buffer.concat(chunks),
  })
  await page.locator('input').and(field(page, 'Name')).fill('Columns')
  await button(page, 'Upload').click()
  await page.getByRole('link', { name: 'Go back to home' }).click()
  await actionOf(page, 'Columns', 'Edit').click()
  await button(page, 'Change order').waitFor()
  path = new URL(page.url()).pathname
  await page.setViewportSize({ width: 390, height: 844 })
})

const form = () => dialog(page, 'Change order')
const list = () => form().getByRole('list')
const rows = () => form().getByRole('listitem')
const names = () => rows().locator('span:nth-child(2)').allTextContents()
const save = () => button(form(), 'Save')
const scrolled = () => list().evaluate((element) => element.scrollTop)
const waitForText = (sentence: string | RegExp) => page.getByText(sentence).waitFor()
const frames = (count: number) =>
  page.evaluate(async (left) => {
    for (; left > 0; left--) await new Promise(requestAnimationFrame)
  }, count)

async function middleOf(place: Locator): Promise<Point> {
  const { x, y, width, height } = (await place.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}
const gripOf = (number: number) => middleOf(button(form(), `Move Column ${number}`))
const placeOf = (place: number) => middleOf(rows().nth(place - 1))

/** Sends a touch event with all fingers on the screen. */
const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...touchPoints: Point[]) =>
  fingers.send('Input.dispatchTouchEvent', {
    type,
    touchPoints: touchPoints.map((point, id) => ({ ...point, id })),
  })

async function slide(from: Point, to: Point, steps = 8): Promise<void> {
  for (let step = 1; step <= steps; step++) {
    await touch('touchMove', {
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    })
    await frames(1)
  }
}

/** Every test starts with the stored order, scrolled to the top. */
beforeEach(async () => {
  await openNextInPage(page, path)
  await button(page, 'Change order').click()
  await rows()
    .nth(FIELDS - 1)
    .waitFor({ state: 'attached' })
  // Clicks nothing, but waits until the dialog stands still.
  await button(form(), 'Move Column 1').click({ trial: true })
})

describe('A finger', () => {
  it('drags a field after a long press, without scrolling', async () => {
    const from = await gripOf(2)
    await touch('touchStart', from)
    await waitForText(`Column 2 picked up from place 2 of ${FIELDS}.`)
    await slide(from, { x: from.x, y: (await placeOf(4)).y + 4 })
    await waitForText(`Column 2 moved to place 4 of ${FIELDS}.`)
    await touch('touchEnd')
    await waitForText(`Column 2 put down in place 4 of ${FIELDS}.`)
    await expect
      .poll(async () => (await names()).slice(0, 4))
      .toEqual(['Column 1', 'Column 3', 'Column 4', 'Column 2'])
    await expect.poll(async () => [await scrolled(), await page.evaluate(() => scrollY)]).toEqual([0, 0])
    await expect.poll(() => save().isEnabled()).toBe(true)
  })

  it.for([
    { on: 'a grip', start: () => gripOf(6) },
    { on: 'a name', start: () => placeOf(6) },
  ])('scrolls the list by a swipe that begins on $on', async ({ start }) => {
    const from = await start()
    await touch('touchStart', from)
    await slide(from, { x: from.x, y: from.y - 200 }, 4)
    await touch('touchEnd')
    await expect.poll(scrolled).toBeGreaterThan(50)
    await expect.poll(() => save().isDisabled()).toBe(true)
  })

  it('scrolls the list at its edge while dragging', async () => {
    const from = await gripOf(2)
    await touch('touchStart', from)
    await waitForText(`Column 2 picked up from place 2 of ${FIELDS}.`)
    const { y, height } = (await list().boundingBox())!
    await slide(from, { x: from.x, y: y + height - 4 })
    await waitForText(`Column 2 moved to place ${FIELDS} of ${FIELDS}.`)
    await slide({ x: from.x, y: y + height - 4 }, { x: from.x, y: y + 4 })
    await waitForText(`Column 2 moved to place 1 of ${FIELDS}.`)
    await touch('touchEnd')
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['Column 2', 'Column 1'])
  })

  it.for([
    {
      why: 'a second finger touches the screen',
      end: async (at: Point) => {
        await touch('touchStart', at, { x: at.x - 150, y: at.y + 60 })
        await touch('touchEnd')
      },
    },
    { why: 'the browser cancels the touch', end: () => touch('touchCancel') },
  ])('gives the field back when $why', async ({ end }) => {
    const from = await gripOf(2)
    const to = { x: from.x, y: (await placeOf(4)).y + 4 }
    await touch('touchStart', from)
    await waitForText(`Column 2 picked up from place 2 of ${FIELDS}.`)
    await slide(from, to)
    await waitForText(`Column 2 moved to place 4 of ${FIELDS}.`)
    await end(to)
    await waitForText(`Column 2 stays in place 2 of ${FIELDS}.`)
    await expect.poll(() => save().isDisabled()).toBe(true)
  })
})

describe('A mouse', () => {
  it('moves nothing with a quick click or its right button', async () => {
    const { x, y } = await gripOf(2)
    await page.mouse.click(x, y)
    await page.mouse.move(x, y)
    await page.mouse.down({ button: 'right' })
    await page.waitForTimeout(300)
    await page.mouse.move(x, y + 120)
    await page.mouse.up({ button: 'right' })
    await expect.poll(() => form().getByRole('button', { pressed: true }).count()).toBe(0)
    await expect.poll(() => save().isDisabled()).toBe(true)
  })

  it('drops a field wherever its button is released', async () => {
    const { x, y } = await gripOf(2)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await waitForText(`Column 2 picked up from place 2 of ${FIELDS}.`)
    await page.mouse.move(4, (await placeOf(3)).y + 4)
    await waitForText(`Column 2 moved to place 3 of ${FIELDS}.`)
    await page.mouse.up()
    await waitForText(`Column 2 put down in place 3 of ${FIELDS}.`)
    await form().waitFor()
  })
})
