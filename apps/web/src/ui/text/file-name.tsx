import { BreakableName } from './breakable-name.tsx'
import classes from './file-name.module.css'

/** A file's name behind a small tag with its ending. */
export function FileName({ name }: { name: string }) {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1].toLowerCase() ?? 'file'
  return (
    <span className={classes.file}>
      <span className={classes.kind} data-kind={ending} aria-hidden="true">
        {ending}
      </span>
      <BreakableName name={name} />
    </span>
  )
}
