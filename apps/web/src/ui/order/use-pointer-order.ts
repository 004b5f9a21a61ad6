import { interfaceTimes } from '@veridict/contract/limits'
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { HeldItem } from './use-held-item.ts'

/** A press that moves further than this, in pixels, before it is long enough does not start a drag. */
const TOLERANCE = 6
/** Within so many pixels of an edge the list scrolls; nearer is faster, up to `FASTEST` pixels a frame. */
const EDGE = 48
const FASTEST = 80

/**
 * A long press on the grip picks the item up; a finger that moves sooner scrolls the list. Our own code,
 * because a library rendered every row with each move: with 1,000 fields 1.5 s to open, 0.5 s to pick one up.
 */
export function usePointerOrder(item: HeldItem, list: RefObject<HTMLElement | null>) {
  const session = useRef<AbortController | null>(null)
  const isDragging = useRef(false)
  useEffect(() => () => session.current?.abort(), [])
  useEffect(() => {
    // Added at mount: without a listener when a finger comes down, a browser scrolls by itself.
    const element = list.current
    const keepInPlace = (event: TouchEvent) => isDragging.current && event.preventDefault()
    element?.addEventListener('touchmove', keepInPlace, { passive: false })
    return () => element?.removeEventListener('touchmove', keepInPlace)
  }, [list])

  return (
    key: string,
    grip: HTMLElement,
    { button, isPrimary, pointerId, clientX, clientY }: PointerEvent,
  ) => {
    if (button !== 0 || !isPrimary) return
    session.current?.abort()
    const drag = (session.current = new AbortController())
    const { signal } = drag
    const pointer = { x: clientX, y: clientY }
    const press = setTimeout(() => {
      isDragging.current = true
      item.pickUp(key)
      grip.focus({ preventScroll: true })
      follow()
    }, interfaceTimes.dragLongPress)
    signal.addEventListener('abort', () => {
      clearTimeout(press)
      isDragging.current = false
    })

    const follow = () => {
      if (signal.aborted || list.current === null) return
      // Escape cancelled it meanwhile.
      if (item.held().key !== key) return drag.abort()
      scrollAtEdge(list.current, pointer.y)
      const place = placeAt(list.current, pointer.y, item.held().index)
      if (place !== null) item.moveTo(place, grip)
      requestAnimationFrame(follow)
    }
    const end = (finish: () => void) => {
      const wasDragging = isDragging.current
      drag.abort()
      if (wasDragging && item.held().key === key) finish()
    }
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      Object.assign(pointer, { x, y })
      if (!isDragging.current && Math.hypot(x - clientX, y - clientY) > TOLERANCE) drag.abort()
    }
    followPointer(pointerId, signal, { move, up: () => end(item.putDown), lost: () => end(item.takeBack) })
    // A long touch opens the browser's menu, where it has one.
    window.addEventListener('contextmenu', (event) => isDragging.current && event.preventDefault(), {
      signal,
    })
  }
}

type PointerHandlers = { move: (event: globalThis.PointerEvent) => void; up: () => void; lost: () => void }

/** Follows a pointer that is down. On the window, because a moved row loses its pointer capture. */
function followPointer(pointerId: number, signal: AbortSignal, { move, up, lost }: PointerHandlers): void {
  const on = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    handle: (event: globalThis.PointerEvent) => void,
  ) => window.addEventListener(type, handle, { signal })
  // No button: it was released where no event reached us, like outside the window.
  on('pointermove', (event) => event.pointerId === pointerId && (event.buttons === 0 ? up() : move(event)))
  on('pointerup', (event) => event.pointerId === pointerId && up())
  on('pointercancel', (event) => event.pointerId === pointerId && lost())
  // A second finger ends the move.
  on('pointerdown', (event) => event.pointerId !== pointerId && lost())
}

function scrollAtEdge(list: HTMLElement, y: number): void {
  const { top, bottom } = list.getBoundingClientRect()
  const into = y < top + EDGE ? y - top - EDGE : Math.max(y - bottom + EDGE, 0)
  if (into !== 0) list.scrollTop += Math.max(-FASTEST, Math.min(FASTEST, Math.round(into / 2)))
}

/** The place under the pointer, coming from `from`: of the row whose middle it passed. null over no row. */
function placeAt(list: HTMLElement, y: number, from: number): number | null {
  const { left, top, bottom } = list.getBoundingClientRect()
  const inside = Math.min(Math.max(y, top + 1), bottom - 1)
  const row = document.elementFromPoint(left + EDGE, inside)?.closest<HTMLElement>('[data-place]')
  if (!row || !list.contains(row)) return null
  const place = Number(row.dataset.place)
  const box = row.getBoundingClientRect()
  const isPastMiddle = place > from ? inside > box.top + box.height / 2 : inside < box.top + box.height / 2
  return place === from || isPastMiddle ? place : place + Math.sign(from - place)
}
