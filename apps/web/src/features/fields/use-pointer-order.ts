import { interfaceTimes } from '@veridict/contract/limits'
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { HeldField } from './use-held-field.ts'

/** A press that wanders further than this, in pixels, before it is long enough is no drag. */
const TOLERANCE = 6
/** This near to an edge of the list, in pixels, it scrolls; the faster, the nearer, up to `FASTEST` pixels a frame. */
const EDGE = 48
const FASTEST = 80

/**
 * Moving a field by pointer: a long press on its grip picks it up, it follows the pointer from place to place, and the list scrolls
 * at its edges. Of our own, because the library measures every row of the list and draws all of them with each move: with a thousand
 * fields, it took a second and a half to open and half a second to pick one up.
 */
export function usePointerOrder(field: HeldField, list: RefObject<HTMLElement | null>) {
  const session = useRef<AbortController | null>(null)
  useEffect(() => () => session.current?.abort(), [])

  return (id: number, grip: HTMLElement, event: PointerEvent) => {
    if (event.button !== 0 || list.current === null) return
    session.current?.abort()
    const drag = (session.current = new AbortController())
    const start = { x: event.clientX, y: event.clientY }
    const pointer = { ...start }
    const { signal } = drag
    const press = setTimeout(() => {
      field.pickUp(id)
      grip.focus({ preventScroll: true })
      follow()
    }, interfaceTimes.dragLongPress)
    signal.addEventListener('abort', () => clearTimeout(press))

    const follow = () => {
      if (signal.aborted || list.current === null) return
      // Escape took it back meanwhile.
      if (field.held().id !== id) return drag.abort()
      scrollAtEdge(list.current, pointer.y)
      const place = placeAt(list.current, pointer.y, field.held().index)
      if (place !== null) field.moveTo(place, grip)
      requestAnimationFrame(follow)
    }
    // On the window: a row that changes places in the page loses what was captured for it.
    const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
      Object.assign(pointer, { x: clientX, y: clientY })
      const isHeld = field.held().id === id
      if (!isHeld && Math.hypot(clientX - start.x, clientY - start.y) > TOLERANCE) drag.abort()
    }
    const end = (finish: () => void) => () => {
      drag.abort()
      if (field.held().id === id) finish()
    }
    window.addEventListener('pointermove', move, { signal })
    window.addEventListener(
      'pointerup',
      end(() => field.putDown()),
      { signal },
    )
    window.addEventListener(
      'pointercancel',
      end(() => field.takeBack()),
      { signal },
    )
  }
}

function scrollAtEdge(list: HTMLElement, y: number): void {
  const { top, bottom } = list.getBoundingClientRect()
  const into = y < top + EDGE ? y - top - EDGE : Math.max(y - bottom + EDGE, 0)
  if (into !== 0) list.scrollTop += Math.max(-FASTEST, Math.min(FASTEST, Math.round(into / 2)))
}

/** The place over which the pointer is, coming from `from`: that of the row whose middle it has passed. null over no row. */
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
