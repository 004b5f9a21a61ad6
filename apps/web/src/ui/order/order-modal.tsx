import { Button, Group, Modal, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react'
import { confirmAndClose } from '#lib/forms/confirm.ts'
import { useFocusAfterWait } from '#ui/forms/busy-button.tsx'
import { useReturnFocus } from '#ui/forms/use-return-focus.ts'
import classes from './order-modal.module.css'
import { type HeldItem, type OrderedItem, useHeldItem } from './use-held-item.ts'
import { usePointerOrder } from './use-pointer-order.ts'

export type OrderModalProps<Item extends OrderedItem> = OrderListProps<Item> & {
  lead: string
  isChanged: boolean
  isSaving: boolean
  /** Stands beside Cancel and Save. */
  beside?: ReactNode
  /** Above the buttons: what keeps the order from being saved. */
  note?: ReactNode
  onSave: () => void
  /** Called for every way of closing without saving, which asks before changes are lost. */
  onClose: () => void
}

/** A dialog in which an order is changed. Save is enabled once it differs. */
export function OrderModal<Item extends OrderedItem>(props: OrderModalProps<Item>) {
  const { lead, isChanged, isSaving, beside, note, onSave, onClose, ...list } = props
  const close = () => void confirmAndClose(isChanged, onClose)
  // Also after someone else's changes were brought in: the button for that is gone then.
  const saveButton = useFocusAfterWait(isSaving, Boolean(note))
  useReturnFocus()
  return (
    <Modal opened onClose={close} title="Change order" size={560}>
      <p className={classes.lead}>{lead}</p>
      <OrderList {...list} />
      <div className={classes.foot}>
        {note}
        <Group justify="flex-end" gap={10}>
          {beside}
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button ref={saveButton} disabled={!isChanged} loading={isSaving} onClick={onSave}>
            Save
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

type OrderListProps<Item extends OrderedItem> = {
  order: Item[]
  onChange: (order: Item[]) => void
  /** What stands before the item in a place, from 0: a letter or a number. */
  mark: (place: number) => string
}

/**
 * Items in an order that can be changed: by pointer after a long press, or by keyboard (space, arrows,
 * space). See docs/BEHAVIOUR.md#field-form.
 */
function OrderList<Item extends OrderedItem>({ order, onChange, mark }: OrderListProps<Item>) {
  const list = useRef<HTMLOListElement>(null)
  const item = useHeldItem(order, onChange)
  const onKey = keyboardOrder(item)
  const onPress = usePointerOrder(item, list)
  return (
    <>
      <ol
        ref={list}
        className={classes.list}
        data-holding={item.heldId !== null || undefined}
        onKeyDown={(event) => atGrip(event.target, (id, grip) => onKey(id, grip, event))}
        onPointerDown={(event) => atGrip(event.target, (id, grip) => onPress(id, grip, event))}
      >
        {order.map(({ id, name }, index) => (
          <OrderRow
            key={id}
            id={id}
            name={name}
            place={index}
            mark={mark(index)}
            isHeld={item.heldId === id}
          />
        ))}
      </ol>
      <VisuallyHidden role="status">{item.announcement}</VisuallyHidden>
    </>
  )
}

/** The list handles the events of all grips: with a handler of its own, every row would render each time. */
function atGrip(target: EventTarget, act: (id: number, grip: HTMLElement) => void): void {
  const grip = (target as Element).closest<HTMLElement>('[data-field]')
  if (grip !== null) act(Number(grip.dataset.field), grip)
}

/**
 * Moves an item by keyboard: space or enter picks it up and puts it down, arrows move it, escape cancels.
 */
const keyboardOrder =
  (item: HeldItem) => (id: number, grip: HTMLElement, event: KeyboardEvent<HTMLElement>) => {
    const isHeld = item.heldId === id
    const move = (step: number) => {
      item.moveTo(item.held().index + step, grip)
      grip.scrollIntoView({ block: 'nearest' })
    }
    const act: Record<string, (() => void) | undefined> = {
      ' ': () => (isHeld ? item.putDown() : item.pickUp(id)),
      Enter: () => (isHeld ? item.putDown() : item.pickUp(id)),
      ArrowUp: isHeld ? () => move(-1) : undefined,
      ArrowDown: isHeld ? () => move(1) : undefined,
      Escape: isHeld ? () => item.takeBack() : undefined,
    }
    if (act[event.key] === undefined) return
    event.preventDefault()
    act[event.key]?.()
  }

type OrderRowProps = { id: number; name: string; place: number; mark: string; isHeld: boolean }

const OrderRow = memo(function OrderRow({ id, name, place, mark, isHeld }: OrderRowProps) {
  return (
    <li className={classes.row} data-place={place} data-held={isHeld || undefined}>
      <span className={classes.letter}>{mark}</span>
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
