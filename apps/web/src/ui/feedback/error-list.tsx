import classes from './error-list.module.css'

/** Says that something was refused, and everything that was wrong with it. */
export function ErrorList({ title, faults }: { title: string; faults: string[] }) {
  return (
    <div role="alert" className={classes.list}>
      <strong>{title}</strong>
      <ul>
        {faults.map((fault, index) => (
          <li key={index}>{fault}</li>
        ))}
      </ul>
    </div>
  )
}
