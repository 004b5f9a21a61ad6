/** Amounts that are about to be used, by key, so that what happens at once is counted together. */
export type Reservations = {
  /** Adds to the reserved amount of `key`; returns what takes it back. */
  add(key: string, amount: number): () => void
  of(key: string): number
}

export function createReservations(): Reservations {
  const amounts = new Map<string, number>()
  const of = (key: string) => amounts.get(key) ?? 0
  return {
    of,
    add(key, amount) {
      amounts.set(key, of(key) + amount)
      return () => {
        const left = of(key) - amount
        if (left > 0) amounts.set(key, left)
        else amounts.delete(key)
      }
    },
  }
}
