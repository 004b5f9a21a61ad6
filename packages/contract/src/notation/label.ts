/**
 * NFC, no-break spaces as spaces, trimmed, runs of white space as one space, case ignored. Two labels are the
 * same column exactly when these are equal. See docs/BEHAVIOUR.md#header.
 */
export function labelKey(label: string): string {
  return tidyLabel(label).toLowerCase()
}

/** A label as it is shown: like `labelKey`, its case kept. */
export function tidyLabel(label: string): string {
  return label.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** The result, called for each name, returns the place of the first equal one before it. Blanks have none. */
export function findNamesakes(): (name: string, place: number) => number | undefined {
  const places = new Map<string, number>()
  return (name, place) => {
    const key = labelKey(name)
    if (key !== '' && !places.has(key)) places.set(key, place)
    const first = places.get(key)
    return first === place ? undefined : first
  }
}
