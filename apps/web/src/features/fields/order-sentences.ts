import type { StoredField } from './api.ts'
/** What a screen reader says while a field is moved: its name and its place. */
export function orderSentences(order: readonly Pick<StoredField, 'id' | 'name'>[]) {
  const indexOf = (id: number) => order.findIndex((field) => field.id === id)
  const name = (id: number) => order[indexOf(id)]?.name ?? ''
  const place = (id: number) => `place ${indexOf(id) + 1} of ${order.length}`
  return {
    pickedUp: (id: number) => `${name(id)} picked up from ${place(id)}.`,
    movedTo: (id: number) => `${name(id)} moved to ${place(id)}.`,
    putDown: (id: number) => `${name(id)} put down in ${place(id)}.`,
    stays: (id: number) => `${name(id)} stays in ${place(id)}.`,
  }
}
