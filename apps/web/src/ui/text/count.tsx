import { VisuallyHidden } from '@mantine/core'
import { writeCount } from '@veridict/contract/notation/count'

/** A count; a dash where it is not known, which a screen reader would not say. */
export function Count({ count }: { count: number | null }) {
  if (count !== null) return writeCount(count)
  return (
    <span>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>not known</VisuallyHidden>
    </span>
  )
}
