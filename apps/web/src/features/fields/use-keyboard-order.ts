import { arrayMove } from '@dnd-kit/sortable'
import type { FieldItem } from '@veridict/contract/api/fields'
import { useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { orderSentences } from './order-announcements.ts'

/**
 * Moving a field by keyboard: space or enter picks it up and puts it down, arrows move it, escape takes it back. Of our own, because
 * the library measures the list before it listens to arrows and loses those that come sooner.
 */
export function useKeyboardOrder(order: FieldItem[], setOrder: (order: FieldItem[]) => void) {
  const [heldId, setHeldId] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const before = useRef(order)

  const pickUp = (id: number) => {
    before.current = order
    setHeldId(id)
    setSaid(orderSentences(order).pickedUp(id))
  }
  const putDown = (id: number) => {
    setHeldId(null)
    setSaid(orderSentences(order).putDown(id))
  }
  const takeBack = (id: number) => {
    setOrder(before.current)
    setHeldId(null)
    setSaid(orderSentences(before.current).stays(id))
  }
  const move = (id: number, step: number, grip: HTMLElement) => {
    const from = order.findIndex((field) => field.id === id)
    const to = Math.min(Math.max(from + step, 0), order.length - 1)
    const moved = arrayMove(order, from, to)
    flushSync(() => {
      setOrder(moved)
      setSaid(orderSentences(moved).movedTo(id))
    })
    grip.focus() // A row that changed places in the page has lost it.
  }

  const onKeyDown = (id: number) => (event: KeyboardEvent<HTMLElement>) => {
    const isHeld = heldId === id
    const act: Record<string, (() => void) | undefined> = {
      ' ': () => (isHeld ? putDown(id) : pickUp(id)),
      Enter: () => (isHeld ? putDown(id) : pickUp(id)),
      ArrowUp: isHeld ? () => move(id, -1, event.currentTarget) : undefined,
      ArrowDown: isHeld ? () => move(id, 1, event.currentTarget) : undefined,
      Escape: isHeld ? () => takeBack(id) : undefined,
    }
    if (act[event.key] === undefined) return
    event.preventDefault()
    act[event.key]?.()
  }
  return { heldId, said, onKeyDown }
}
