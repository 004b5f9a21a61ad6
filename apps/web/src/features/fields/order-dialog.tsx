import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Button, Group, Modal, VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { FieldItem } from '@veridict/contract/api/fields'
import { interfaceTimes } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { KeyboardEvent } from 'react'
import { closeUnlessKept } from '#lib/forms/use-dirty-guard.ts'
import { orderAnnouncements } from './order-announcements.ts'
import classes from './order-dialog.module.css'
import { useKeyboardOrder } from './use-keyboard-order.ts'
import { useOrder } from './use-order.tsx'

export type OrderDialogProps = { dictionaryId: number; fields: FieldItem[]; onClose: () => void }

/**
 * The fields, to be dragged into another order: by pointer after a long press, or by keyboard (space, arrows, space).
 * Save is there once the order differs. Spec §2.
 */
export function OrderDialog({ dictionaryId, fields, onClose }: OrderDialogProps) {
  const { order, setOrder, isChanged, isSaving, save, note } = useOrder(dictionaryId, fields)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { delay: interfaceTimes.dragLongPress, tolerance: 6 } }))
  const keyboard = useKeyboardOrder(order, setOrder)
  const drop = ({ active, over }: DragEndEvent) => {
    if (over === null || active.id === over.id) return
    const place = (id: typeof active.id) => order.findIndex((field) => field.id === id)
    setOrder(arrayMove(order, place(active.id), place(over.id)))
  }
  const close = () => void closeUnlessKept(isChanged, onClose)
  return (
    <Modal opened onClose={close} title="Change order" size={560}>
      <p className={classes.lead}>The columns of a file must stand in this order.</p>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements: orderAnnouncements(order) }}
        onDragEnd={drop}
      >
        <SortableContext items={order.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <ol className={classes.list}>
            {order.map(({ id, columnName }, index) => (
              <OrderRow
                key={id}
                id={id}
                name={columnName}
                letter={columnLetter(index)}
                isHeld={keyboard.heldId === id}
                onKeyDown={keyboard.onKeyDown(id)}
              />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <VisuallyHidden role="status">{keyboard.said}</VisuallyHidden>
      <div className={classes.foot}>
        {note}
        <Group justify="flex-end" gap={10}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={!isChanged} loading={isSaving} onClick={() => save(onClose)}>
            Save
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

type OrderRowProps = { id: number; name: string; letter: string; isHeld: boolean; onKeyDown: (event: KeyboardEvent<HTMLElement>) => void }

function OrderRow({ id, name, letter, isHeld, onKeyDown }: OrderRowProps) {
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id })
  const moved = transform === null ? undefined : `translate3d(0, ${Math.round(transform.y)}px, 0)`
  return (
    <li ref={setNodeRef} className={classes.row} data-dragging={isDragging || isHeld || undefined} style={{ transform: moved, transition }}>
      <span className={classes.letter}>{letter}</span>
      <span className={classes.name}>{name}</span>
      {/* Escape takes a held row back, and must not close the dialog: Mantine looks for this attribute. */}
      <button
        type="button"
        className={classes.grip}
        aria-label={`Move ${name}`}
        {...attributes}
        {...listeners}
        onKeyDown={onKeyDown}
        data-mantine-stop-propagation={isHeld || undefined}
      >
        <IconGripVertical size={20} stroke={1.7} aria-hidden />
      </button>
    </li>
  )
}
