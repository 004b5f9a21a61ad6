import { writeCount } from '@veridict/contract/notation/count'
import { useState } from 'react'
import { TextButton } from '#ui/forms/action-button.tsx'
import classes from './error-list.module.css'

/** Where a notice has the errors, too, they are listed on request: the notice disappears after 4 seconds. */
type ErrorListProps = { title: string; errors: string[]; isInNotice?: boolean }

/** A title and all errors of something that was refused. */
export function ErrorList({ title, errors, isInNotice = false }: ErrorListProps) {
  const [isListed, setIsListed] = useState(!isInNotice)
  return (
    <div role="alert" className={classes.list}>
      <strong>
        {title}
        {errors.length > 1 && `: ${writeCount(errors.length)} problems`}
      </strong>
      {isListed ? (
        <ul>
          {errors.map((error, index) => (
            <li key={index}>{error}</li>
          ))}
        </ul>
      ) : (
        <TextButton
          label={errors.length > 1 ? 'List them here' : 'Say why here'}
          className={classes.show}
          onClick={() => setIsListed(true)}
        />
      )}
    </div>
  )
}
