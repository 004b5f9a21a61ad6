import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { StoredField } from './api.ts'
import { orderSentences } from './order-sentences.ts'

export type HeldField = ReturnType<typeof useHeldField>

/**
 * The one field that is being moved, whatever moves it: it is picked up, moved to places, and put down or
 * taken back. Each step is `said`, for those who cannot see it.
 */
export function useHeldField(order: StoredField[], setOrder: (order: StoredField[]) => void) {
  const [heldId, setHeldId] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  // Moves come quicker than renders: what is true now stands here.
  const now = useRef({ order, before: order, heldId })
  const hold = (id: number | null) => {
    now.current.heldId = id
    setHeldId(id)
  }
  const place = (moved: StoredField[]) => {
    now.current.order = moved
    setOrder(moved)
  }
  useLayoutEffect(() => {
    if (now.current.order === order) return
    // Not our doing: someone else's changes came in, and what was held has no place to go back to.
    now.current.order = order
    hold(null)
  }, [order])

  /** Which field is held at this moment, and in which place. */
  const held = () => ({
    id: now.current.heldId,
    index: now.current.order.findIndex(({ id }) => id === now.current.heldId),
  })

  return {
    heldId,
    said,
    held,
    pickUp(id: number) {
      now.current.before = now.current.order
      hold(id)
      setSaid(orderSentences(now.current.order).pickedUp(id))
    },
    /**
     * To a place, or to the nearest that there is. `grip` has the focus: a row that changes places in the
     * page loses it.
     */
    moveTo(index: number, grip: HTMLElement) {
      const { id, index: from } = held()
      const to = Math.min(Math.max(index, 0), now.current.order.length - 1)
      if (id === null || to === from) return
      const moved = now.current.order.toSpliced(from, 1).toSpliced(to, 0, now.current.order[from])
      flushSync(() => {
        place(moved)
        setSaid(orderSentences(moved).movedTo(id))
      })
      grip.focus({ preventScroll: true })
    },
    putDown() {
      const { id } = held()
      if (id === null) return
      hold(null)
      setSaid(orderSentences(now.current.order).putDown(id))
    },
    takeBack() {
      const { id } = held()
      if (id === null) return
      place(now.current.before)
      hold(null)
      setSaid(orderSentences(now.current.before).stays(id))
    },
  }
}
