/** A number of fields, in words. */
export const fieldCount = (count: number): string =>
  `${count.toLocaleString('en')} field${count === 1 ? '' : 's'}`
