import { writeCount } from '@veridict/contract/notation/count'
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

export type HeldItem = ReturnType<typeof useHeldItem>

/** What is put in order. */
export type OrderedItem = { id: number; name: string }

/**
 * The item that is being moved, by pointer or keyboard: picked up, moved, and put down or taken back.
 * `announcement` describes each step to screen readers.
 */
export function useHeldItem<Item extends OrderedItem>(order: Item[], setOrder: (order: Item[]) => void) {
  const [heldId, setHeldId] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  // Moves come faster than renders: this is always up to date.
  const now = useRef({ order, before: order, heldId })
  const hold = (id: number | null) => {
    now.current.heldId = id
    setHeldId(id)
  }
  const place = (moved: Item[]) => {
    now.current.order = moved
    setOrder(moved)
  }
  useLayoutEffect(() => {
    if (now.current.order === order) return
    // Changes of another person arrived: the order that the held item would return to is gone.
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
    announcement,
    held,
    pickUp(id: number) {
      now.current.before = now.current.order
      hold(id)
      setAnnouncement(sentence(now.current.order, id, 'picked up from'))
    },
    /** To a place, or the nearest one. A row that changes places in the page loses the focus of `grip`. */
    moveTo(index: number, grip: HTMLElement) {
      const { id, index: from } = held()
      const to = Math.min(Math.max(index, 0), now.current.order.length - 1)
      if (id === null || to === from) return
      const moved = now.current.order.toSpliced(from, 1).toSpliced(to, 0, now.current.order[from])
      flushSync(() => {
        place(moved)
        setAnnouncement(sentence(moved, id, 'moved to'))
      })
      grip.focus({ preventScroll: true })
    },
    putDown() {
      const { id } = held()
      if (id === null) return
      hold(null)
      setAnnouncement(sentence(now.current.order, id, 'put down in'))
    },
    takeBack() {
      const { id } = held()
      if (id === null) return
      place(now.current.before)
      hold(null)
      setAnnouncement(sentence(now.current.before, id, 'stays in'))
    },
  }
}

/** What a screen reader says while an item is moved: its name, what is done, and its place. */
function sentence(order: readonly OrderedItem[], id: number, done: string): string {
  const index = order.findIndex((item) => item.id === id)
  return `${order[index]?.name ?? ''} ${done} place ${writeCount(index + 1)} of ${writeCount(order.length)}.`
}
