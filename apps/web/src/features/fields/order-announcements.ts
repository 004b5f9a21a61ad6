import type { Announcements } from '@dnd-kit/core'
import type { FieldItem } from '@veridict/contract/api/fields'

type Order = readonly Pick<FieldItem, 'id' | 'columnName'>[]

/** What a screen reader says while a field is moved: its name and its place, where the library would say ids. */
export function orderSentences(order: Order) {
  const indexOf = (id: unknown) => order.findIndex((field) => field.id === id)
  const name = (id: unknown) => order[indexOf(id)]?.columnName ?? ''
  const place = (id: unknown) => `place ${indexOf(id) + 1} of ${order.length}`
  return {
    pickedUp: (id: unknown) => `${name(id)} picked up from ${place(id)}.`,
    /** `at` is the field whose place it takes. */
    movedTo: (id: unknown, at: unknown = id) => `${name(id)} moved to ${place(at)}.`,
    putDown: (id: unknown, at: unknown = id) => `${name(id)} put down in ${place(at)}.`,
    stays: (id: unknown) => `${name(id)} stays in ${place(id)}.`,
  }
}

/** The same sentences for dragging by pointer. */
export function orderAnnouncements(order: Order): Announcements {
  const say = orderSentences(order)
  return {
    onDragStart: ({ active }) => say.pickedUp(active.id),
    onDragOver: ({ active, over }) => (over === null ? undefined : say.movedTo(active.id, over.id)),
    onDragEnd: ({ active, over }) => say.putDown(active.id, (over ?? active).id),
    onDragCancel: ({ active }) => say.stays(active.id),
  }
}
