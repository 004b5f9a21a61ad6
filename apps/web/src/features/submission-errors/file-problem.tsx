import { Button } from '@mantine/core'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import { Link } from 'react-router'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import classes from './file-problem.module.css'
import { sentencesOf } from './sentences.ts'

export type FileProblemProps = { errorType: ErrorType; errorMessage: string; uploadPath: string }

/** What each kind of problem is called in one line. */
const headlines: Readonly<Record<Exclude<ErrorType, 0>, string>> = {
  [ErrorType.Columns]: 'The columns do not match',
  [ErrorType.ColumnOrder]: 'The columns are in another order',
  [ErrorType.Unreadable]: 'The file cannot be read',
  [ErrorType.NoRows]: 'The file has no data',
  [ErrorType.BeyondLimit]: 'The file is too large to check',
  [ErrorType.EmptyDictionary]: 'The data dictionary has no fields',
  [ErrorType.ProcessingFailed]: 'The file could not be processed',
}

const isStructure = (errorType: ErrorType) =>
  errorType === ErrorType.Columns || errorType === ErrorType.ColumnOrder

/** A fault of the file as a whole: what it is, and what to do. Spec §2. */
export function FileProblem({ errorType, errorMessage, uploadPath }: FileProblemProps) {
  const [lead, ...details] = sentencesOf(errorMessage)
  return (
    <section className={classes.problem}>
      <div className={classes.finding}>
        <SheetPicture tone="wrong" />
        <div className={classes.words}>
          <h2 className={classes.headline}>
            {errorType === ErrorType.RowErrors ? '' : headlines[errorType]}
          </h2>
          <p className={classes.message}>
            <Statement text={lead} />
          </p>
          {details.length > 0 && (
            <ul className={classes.details}>
              {details.map((sentence) => (
                <li key={sentence}>
                  <Statement text={sentence} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <div className={classes.cure}>
        {isStructure(errorType) ? <StructureAdvice /> : <p>{texts.uploadAgain}</p>}
        <Button component={Link} to={uploadPath}>
          Upload new file
        </Button>
      </div>
    </section>
  )
}

/** The names stand out of their sentences: they are what a list of differences is read for. */
const Statement = ({ text }: { text: string }) =>
  text.split(/("[^"]+")/).map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part))

function StructureAdvice() {
  return (
    <>
      <p>{texts.structureLead}</p>
      <ul>
        {texts.structureChecks.map((check) => (
          <li key={check}>{check}</li>
        ))}
      </ul>
    </>
  )
}
