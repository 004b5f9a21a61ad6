import { VisuallyHidden } from '@mantine/core'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { type KeyboardEvent, memo, useRef } from 'react'
import classes from './order-list.module.css'
import { type HeldField, useHeldField } from './use-held-field.ts'
import { usePointerOrder } from './use-pointer-order.ts'
import type { StoredField } from './api.ts'

export type OrderListProps = { order: StoredField[]; onChange: (order: StoredField[]) => void }

/**
 * The fields in an order that can be changed: by pointer after a long press, or by keyboard (space, arrows,
 * space). See docs/BEHAVIOUR.md#field-form.
 */
export function OrderList({ order, onChange }: OrderListProps) {
  const list = useRef<HTMLOListElement>(null)
  const field = useHeldField(order, onChange)
  const onKey = keyboardOrder(field)
  const onPress = usePointerOrder(field, list)
  return (
    <>
      <ol
        ref={list}
        className={classes.list}
        data-holding={field.heldId !== null || undefined}
        onKeyDown={(event) => atGrip(event.target, (id, grip) => onKey(id, grip, event))}
        onPointerDown={(event) => atGrip(event.target, (id, grip) => onPress(id, grip, event))}
      >
        {order.map(({ id, name }, index) => (
          <OrderRow key={id} id={id} name={name} place={index} isHeld={field.heldId === id} />
        ))}
      </ol>
      <VisuallyHidden role="status">{field.announcement}</VisuallyHidden>
    </>
  )
}

/** The list handles the events of all grips: with a handler of its own, every row would render each time. */
function atGrip(target: EventTarget, act: (id: number, grip: HTMLElement) => void): void {
  const grip = (target as Element).closest<HTMLElement>('[data-field]')
  if (grip !== null) act(Number(grip.dataset.field), grip)
}

/**
 * Moves a field by keyboard: space or enter picks it up and puts it down, arrows move it, escape cancels.
 */
const keyboardOrder =
  (field: HeldField) => (id: number, grip: HTMLElement, event: KeyboardEvent<HTMLElement>) => {
    const isHeld = field.heldId === id
    const move = (step: number) => {
      field.moveTo(field.held().index + step, grip)
      grip.scrollIntoView({ block: 'nearest' })
    }
    const act: Record<string, (() => void) | undefined> = {
      ' ': () => (isHeld ? field.putDown() : field.pickUp(id)),
      Enter: () => (isHeld ? field.putDown() : field.pickUp(id)),
      ArrowUp: isHeld ? () => move(-1) : undefined,
      ArrowDown: isHeld ? () => move(1) : undefined,
      Escape: isHeld ? () => field.takeBack() : undefined,
    }
    if (act[event.key] === undefined) return
    event.preventDefault()
    act[event.key]?.()
  }

type OrderRowProps = { id: number; name: string; place: number; isHeld: boolean }

const OrderRow = memo(function OrderRow({ id, name, place, isHeld }: OrderRowProps) {
  return (
    <li className={classes.row} data-place={place} data-held={isHeld || undefined}>
      <span className={classes.letter}>{columnLetter(place)}</span>
      <span className={classes.name}>{name}</span>
      {/* Escape takes a held row back, and must not close the dialog: Mantine looks for this attribute. */}
      <button
        type="button"
        className={classes.grip}
        data-field={id}
        aria-label={`Move ${name}`}
        aria-pressed={isHeld}
        data-mantine-stop-propagation={isHeld || undefined}
      />
    </li>
  )
})
