import { writeCount } from '@veridict/contract/notation/count'
import { TextButton } from '#ui/text/text-button.tsx'
import classes from './error-list.module.css'

/** Without `onShow`, the errors are listed; else a button shows them. */
type ErrorListProps = { title: string; errors: string[]; onShow?: () => void }

/** A title and all errors of something that was refused. */
export function ErrorList({ title, errors, onShow }: ErrorListProps) {
  return (
    <div role="alert" className={classes.list}>
      <strong>
        {title}
        {errors.length > 1 && `: ${writeCount(errors.length)} problems`}
      </strong>
      {onShow === undefined ? (
        <ul>
          {errors.map((error, index) => (
            <li key={index}>{error}</li>
          ))}
        </ul>
      ) : (
        <TextButton className={classes.show} onClick={onShow}>
          {errors.length > 1 ? 'Show them again' : 'Show why again'}
        </TextButton>
      )}
    </div>
  )
}
