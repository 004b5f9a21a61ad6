import { Group, Modal, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, memo, type ReactNode, useRef, useState } from 'react'
import { confirmAndClose } from '#lib/forms/confirm.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import classes from './order-modal.module.css'
import { type HeldItem, type KeyOf, type OrderedItem, useHeldItem } from './use-held-item.ts'
import { usePointerOrder } from './use-pointer-order.ts'

export type OrderModalProps<Item extends OrderedItem> = Omit<OrderListProps<Item>, 'order' | 'onChange'> & {
  /** As they are saved now. While the dialog is open, changes of other people may be brought in. */
  items: Item[]
  lead: string
  isSaving: boolean
  /** Stands beside Cancel and Save. */
  beside?: (order: Item[], isChanged: boolean) => ReactNode
  /** Above the buttons: what keeps the order from being saved. */
  note?: ReactNode
  onSave: (order: Item[]) => void
  /** Called for every way of closing without saving, which asks before changes are lost. */
  onClose: () => void
}

/** A dialog in which an order is changed. Save is enabled once it differs. */
export function OrderModal<Item extends OrderedItem>(props: OrderModalProps<Item>) {
  const { items, lead, isSaving, beside, note, onSave, onClose, ...list } = props
  const [seen, setSeen] = useState(items)
  const [order, setOrder] = useState(items)
  if (items !== seen) {
    setSeen(items)
    setOrder(mergeOrder(order, items, list.keyOf))
  }
  const isChanged = order.some((item, place) => item !== items[place])
  const close = () => void confirmAndClose(isChanged, onClose)
  return (
    <Modal opened onClose={close} title="Change order" size={560}>
      <p className={classes.lead}>{lead}</p>
      <OrderList order={order} onChange={setOrder} {...list} />
      <div className={classes.foot}>
        {note}
        <Group justify="flex-end" gap={10}>
          {beside?.(order, isChanged)}
          <ActionButton label="Cancel" variant="default" onClick={close} />
          <ActionButton label="Save" disabled={!isChanged} isBusy={isSaving} onClick={() => onSave(order)} />
        </Group>
      </div>
    </Modal>
  )
}

/** The present items in the order of `own`: those that are gone are left out, new ones follow at the end. */
export function mergeOrder<Item>(own: readonly Item[], present: readonly Item[], keyOf: KeyOf<Item>): Item[] {
  const places = new Map(own.map((item, place) => [keyOf(item), place]))
  const placeOf = (item: Item) => places.get(keyOf(item)) ?? own.length
  return present.toSorted((a, b) => placeOf(a) - placeOf(b))
}

type OrderListProps<Item extends OrderedItem> = {
  order: Item[]
  onChange: (order: Item[]) => void
  /** What stands before the item in a place, from 0: a letter or a number. */
  mark: (place: number) => string
  keyOf: KeyOf<Item>
}

/** People move items by pointer, after a long press, or by keyboard. See docs/BEHAVIOUR.md#field-form. */
function OrderList<Item extends OrderedItem>({ order, onChange, mark, keyOf }: OrderListProps<Item>) {
  const list = useRef<HTMLOListElement>(null)
  const held = useHeldItem(order, onChange, keyOf)
  const onKey = keyboardOrder(held)
  const onPress = usePointerOrder(held, list)
  return (
    <>
      <ol
        ref={list}
        className={classes.list}
        data-holding={held.heldKey !== null || undefined}
        onKeyDown={(event) => atGrip(event.target, (key, grip) => onKey(key, grip, event))}
        onPointerDown={(event) => atGrip(event.target, (key, grip) => onPress(key, grip, event))}
      >
        {order.map((item, index) => {
          const key = keyOf(item)
          return (
            <OrderRow
              key={key}
              itemKey={key}
              name={item.name}
              place={index}
              mark={mark(index)}
              isHeld={held.heldKey === key}
            />
          )
        })}
      </ol>
      <VisuallyHidden role="status">{held.announcement}</VisuallyHidden>
    </>
  )
}

/** The list handles the events of all grips: with a handler of its own, every row would render each time. */
function atGrip(target: EventTarget, act: (key: string, grip: HTMLElement) => void): void {
  const grip = (target as Element).closest<HTMLElement>('[data-key]')
  if (grip !== null) act(grip.dataset.key!, grip)
}

/** Space or enter picks it up and puts it down, arrows move it, escape cancels. */
const keyboardOrder =
  (item: HeldItem) => (key: string, grip: HTMLElement, event: KeyboardEvent<HTMLElement>) => {
    const isHeld = item.heldKey === key
    const move = (step: number) => {
      item.moveTo(item.held().index + step, grip)
      grip.scrollIntoView({ block: 'nearest' })
    }
    const act: Record<string, (() => void) | undefined> = {
      ' ': () => (isHeld ? item.putDown() : item.pickUp(key)),
      Enter: () => (isHeld ? item.putDown() : item.pickUp(key)),
      ArrowUp: isHeld ? () => move(-1) : undefined,
      ArrowDown: isHeld ? () => move(1) : undefined,
      Escape: isHeld ? () => item.takeBack() : undefined,
    }
    if (act[event.key] === undefined) return
    event.preventDefault()
    act[event.key]?.()
  }

type OrderRowProps = { itemKey: string; name: string; place: number; mark: string; isHeld: boolean }

const OrderRow = memo(function OrderRow({ itemKey, name, place, mark, isHeld }: OrderRowProps) {
  return (
    <li className={classes.row} data-place={place} data-held={isHeld || undefined}>
      <span className={classes.letter}>{mark}</span>
      <span className={classes.name}>{name}</span>
      {/* Escape takes a held row back, and must not close the dialog: Mantine looks for this attribute. */}
      <button
        type="button"
        className={classes.grip}
        data-key={itemKey}
        aria-label={`Move ${name}`}
        aria-pressed={isHeld}
        data-mantine-stop-propagation={isHeld || undefined}
      />
    </li>
  )
})
