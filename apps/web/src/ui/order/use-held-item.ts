import { writeCount } from '@veridict/contract/notation/count'
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

export type HeldItem = ReturnType<typeof useHeldItem>

/** What is put in order. */
export type OrderedItem = { name: string }
/** What tells an item from the others, also when they are read again. */
export type KeyOf<Item> = (item: Item) => string

/** Moves an item by pointer or keyboard; `announcement` describes each step to screen readers. */
export function useHeldItem<Item extends OrderedItem>(
  order: Item[],
  setOrder: (order: Item[]) => void,
  keyOf: KeyOf<Item>,
) {
  const [heldKey, setHeldKey] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  // Moves come faster than renders: this is always up to date.
  const now = useRef({ order, before: order, heldKey })
  const hold = (key: string | null) => {
    now.current.heldKey = key
    setHeldKey(key)
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

  /** Which item is held at this moment, and in which place. */
  const held = () => ({
    key: now.current.heldKey,
    index: now.current.order.findIndex((item) => keyOf(item) === now.current.heldKey),
  })
  /** What a screen reader says while an item is moved: its name, what is done, and its place. */
  const say = (key: string, done: string) => {
    const index = now.current.order.findIndex((item) => keyOf(item) === key)
    const { name } = now.current.order[index]
    setAnnouncement(
      `${name} ${done} place ${writeCount(index + 1)} of ${writeCount(now.current.order.length)}.`,
    )
  }

  return {
    heldKey,
    announcement,
    held,
    pickUp(key: string) {
      now.current.before = now.current.order
      hold(key)
      say(key, 'picked up from')
    },
    /** To a place, or the nearest one. A row that changes places in the page loses the focus of `grip`. */
    moveTo(index: number, grip: HTMLElement) {
      const { key, index: from } = held()
      const to = Math.min(Math.max(index, 0), now.current.order.length - 1)
      if (key === null || to === from) return
      flushSync(() => {
        place(now.current.order.toSpliced(from, 1).toSpliced(to, 0, now.current.order[from]))
        say(key, 'moved to')
      })
      grip.focus({ preventScroll: true })
    },
    putDown() {
      const { key } = held()
      if (key === null) return
      hold(null)
      say(key, 'put down in')
    },
    takeBack() {
      const { key } = held()
      if (key === null) return
      place(now.current.before)
      hold(null)
      say(key, 'stays in')
    },
  }
}
