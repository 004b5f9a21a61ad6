import classes from './tag.module.css'

export type TagProps = {
  text: string
  /** @default 'quiet' */
  tone?: 'quiet' | 'brand' | 'warn'
}

/** One or two words about what stands before it. */
export function Tag({ text, tone = 'quiet' }: TagProps) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {text}
    </span>
  )
}
