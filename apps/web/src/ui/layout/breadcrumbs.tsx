import { Link } from 'react-router'
import classes from './breadcrumbs.module.css'

/** One step of the trail; the last one, where the reader is, has no address. */
export type Crumb = { label: string; to?: string }

/** The way from home to this screen. */
export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className={classes.trail}>
      <ol>
        {crumbs.map(({ label, to }) => (
          <li key={label}>
            {to === undefined ? <span aria-current="page">{label}</span> : <Link to={to}>{label}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
