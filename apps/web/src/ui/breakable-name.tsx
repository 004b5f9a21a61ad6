import { Fragment } from 'react'

/** A name without spaces that may break, where it must, after its separators first. */
export function BreakableName({ name }: { name: string }) {
  return name.split(/(?<=[_.\-/@])/u).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
