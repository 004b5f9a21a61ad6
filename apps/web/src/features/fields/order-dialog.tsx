import { Button, Group, Modal, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { conflictMessages } from '@veridict/contract/messages/conflicts'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { type KeyboardEvent, memo, useRef, useState } from 'react'
import { ConflictNote } from '#lib/forms/conflict-note.tsx'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { announceConflict } from '#lib/http/announce.ts'
import { isEditConflict } from '#lib/http/call-failure.ts'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { useReturnFocus } from '#ui/forms/use-return-focus.ts'
import { fieldsQuery, type StoredField, useReorderFields } from './api.ts'
import { type HeldField, useHeldField } from './use-held-field.ts'
import { usePointerOrder } from './use-pointer-order.ts'
import classes from './order-dialog.module.css'

export type OrderDialogProps = { dictionaryId: number; fields: StoredField[]; onClose: () => void }

/** Changes the order of the fields. Save is enabled once it differs. See docs/BEHAVIOUR.md#dictionaries. */
export function OrderDialog({ dictionaryId, fields, onClose }: OrderDialogProps) {
  const { order, setOrder, isChanged, isSaving, isBehind, save, note } = useOrder(dictionaryId, fields)
  // Also after someone else's changes were brought in: the button for that is gone then.
  const saveButton = useFocusAfterWait(isSaving, isBehind)
  const close = () => void confirmAndClose(isChanged, onClose)
  useReturnFocus()
  return (
    <Modal opened onClose={close} title="Change order" size={560}>
      <p className={classes.lead}>The columns of a file must stand in this order.</p>
      <OrderList order={order} onChange={setOrder} />
      <div className={classes.foot}>
        {note}
        <Group justify="flex-end" gap={10}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button ref={saveButton} disabled={!isChanged} loading={isSaving} onClick={() => save(onClose)}>
            Save
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

const idsOf = (fields: readonly StoredField[]) => fields.map(({ id }) => id)

/**
 * The order in the dialog. It keeps the list that it started from, because the one behind the dialog may be
 * read again at any time. When another person changed the fields first, `note` offers to merge their changes.
 */
function useOrder(dictionaryId: number, fields: StoredField[]) {
  const [seen, setSeen] = useState(fields)
  const [order, setOrder] = useState(fields)
  const [isBehind, setIsBehind] = useState(false)
  const client = useQueryClient()
  const reorder = useReorderFields(dictionaryId, (_message, failure) =>
    isEditConflict(failure) ? setIsBehind(true) : announceConflict(failure),
  )
  const loading = useMutation({
    mutationFn: () => client.fetchQuery({ ...fieldsQuery(dictionaryId), staleTime: 0 }),
    onSuccess: (present) => {
      setSeen(present)
      setOrder(mergeOrder(order, present))
      setIsBehind(false)
    },
  })
  return {
    order,
    setOrder,
    isChanged: order.some(({ id }, index) => id !== seen[index].id),
    isSaving: reorder.isPending,
    isBehind,
    save: (onSaved: () => void) =>
      reorder.mutate({ ids: idsOf(order), seenOrder: idsOf(seen) }, { onSuccess: onSaved }),
    note: isBehind && (
      <ConflictNote
        text={conflictMessages.orderText}
        isLoading={loading.isPending}
        onLoad={() => loading.mutate()}
      />
    ),
  }
}

type Item = { id: number }

/** The present fields in the order of `own`: deleted ones are left out, new ones follow at the end. */
export function mergeOrder<Field extends Item>(own: readonly Item[], present: readonly Field[]): Field[] {
  const places = new Map(own.map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: Item) => places.get(id) ?? own.length
  return present.toSorted((a, b) => placeOf(a) - placeOf(b))
}

type OrderListProps = { order: StoredField[]; onChange: (order: StoredField[]) => void }

/**
 * The fields in an order that can be changed: by pointer after a long press, or by keyboard (space, arrows,
 * space). See docs/BEHAVIOUR.md#field-form.
 */
function OrderList({ order, onChange }: OrderListProps) {
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
