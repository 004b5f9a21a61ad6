import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import type { FieldItem } from '@veridict/contract/api/fields'

/** What a screen reader says while a field is moved by keyboard: its name and its place, where the library would say ids. */
export function orderAnnouncements(order: readonly Pick<FieldItem, 'id' | 'columnName'>[]): Announcements {
  const indexOf = (id: UniqueIdentifier) => order.findIndex((field) => field.id === id)
  const name = (id: UniqueIdentifier) => order[indexOf(id)]?.columnName ?? ''
  const place = (id: UniqueIdentifier) => `place ${indexOf(id) + 1} of ${order.length}`
  return {
    onDragStart: ({ active }) => `${name(active.id)} picked up from ${place(active.id)}.`,
    onDragOver: ({ active, over }) => (over === null ? undefined : `${name(active.id)} moved to ${place(over.id)}.`),
    onDragEnd: ({ active, over }) => `${name(active.id)} put down in ${place((over ?? active).id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} stays in ${place(active.id)}.`,
  }
}
