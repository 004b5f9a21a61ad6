import { Button } from '@mantine/core'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { FileProblem as Problem } from '@veridict/contract/model/verdict'
import { Link } from 'react-router'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import classes from './file-problem.module.css'

export type FileProblemProps = {
  problem: Problem
  /** Where to upload a corrected file; on that screen itself it is left out, and the advice with it. */
  uploadPath?: string
}

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

/** A file problem: what is wrong, and what to do. */
export function FileProblem({ problem, uploadPath }: FileProblemProps) {
  const { errorType, message } = problem
  const details = [...(problem.hints ?? []), ...problem.details]
  return (
    <section className={classes.problem}>
      <div className={classes.finding}>
        <SheetPicture tone="wrong" />
        <div className={classes.words}>
          <h2 className={classes.headline}>{headlines[errorType]}</h2>
          <p className={classes.message}>
            <Sentence text={message} />
          </p>
          {details.length > 0 && (
            <ul className={classes.details}>
              {details.map((detail) => (
                <li key={detail}>
                  <Sentence text={detail} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      {(isStructure(errorType) || uploadPath !== undefined) && (
        <div className={classes.cure}>
          {isStructure(errorType) ? <StructureAdvice /> : <p>{texts.uploadAgain}</p>}
          {uploadPath !== undefined && (
            <Button component={Link} to={uploadPath}>
              Upload new file
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** Names in quotes are bold: they are what people look for in a list of differences. */
const Sentence = ({ text }: { text: string }) =>
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
