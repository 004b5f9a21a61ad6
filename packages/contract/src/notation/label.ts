/**
 * A label as it is compared: NFC, no-break spaces as spaces, trimmed, runs of white space as one space, case
 * ignored. Two labels are the same column exactly when these are equal. See docs/BEHAVIOUR.md#header.
 */
export function labelKey(label: string): string {
  return tidyLabel(label).toLowerCase()
}

/** A label as it is shown: like `labelKey`, its case kept. */
export function tidyLabel(label: string): string {
  return label.normalize('NFC').replace(/\s+/gu, ' ').trim()
}
