import { writeCount } from '@veridict/contract/notation/count'
import classes from './error-list.module.css'

/** A title and all errors of something that was refused. */
export function ErrorList({ title, errors }: { title: string; errors: string[] }) {
  return (
    <div role="alert" className={classes.list}>
      <strong>
        {title}
        {errors.length > 1 && `: ${writeCount(errors.length)} problems`}
      </strong>
      <ul>
        {errors.map((error, index) => (
          <li key={index}>{error}</li>
        ))}
      </ul>
    </div>
  )
}
