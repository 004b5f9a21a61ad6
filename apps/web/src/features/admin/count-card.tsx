import { Skeleton } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Count } from '#ui/text/count.tsx'
import classes from './count-card.module.css'

export type CountCardProps = {
  title: string
  text: string
  /** undefined while loading, null after a failure. */
  count: number | undefined | null
  to: string
}

/** A number that links to the list of what it counts. */
export function CountCard({ title, text, count, to }: CountCardProps) {
  return (
    <Link to={to} className={classes.card}>
      <span className={classes.title}>{title}</span>
      <span className={classes.count} data-unknown={count === null || undefined}>
        {count === undefined ? (
          <Skeleton height={44} width={72} component="span" display="block" />
        ) : (
          <Count count={count} />
        )}
      </span>
      <span className={classes.text}>{text}</span>
      <IconArrowRight size={22} stroke={1.6} className={classes.arrow} aria-hidden />
    </Link>
  )
}
