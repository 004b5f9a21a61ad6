import { Button } from '@mantine/core'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { FileProblem as Problem, ColumnDifference } from '@veridict/contract/model/verdict'
import { Link } from 'react-router'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { QuotedNames } from './quoted-names.tsx'
import classes from './file-problem.module.css'
import sheet from './sheet-table.module.css'

export type FileProblemProps = {
  problem: Problem
  /** Where to upload a corrected file; on that screen itself it is left out, and the advice with it. */
  uploadPath?: string
  /** Where to upload the file against one of the `otherDictionaries` of the problem. */
  uploadPathOf?: (dictionaryId: number) => string
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

/** A file problem: what is wrong, and what to do. Columns that differ are a table below. */
export function FileProblem({ problem, uploadPath, uploadPathOf }: FileProblemProps) {
  const { errorType, message, details, hints = [], columns = [], otherDictionaries = [] } = problem
  // The table has what these say, so they are folded away. The expected order is nowhere else.
  const isFolded = columns.length > 0 && errorType === ErrorType.Columns
  return (
    <section className={classes.problem}>
      <div className={classes.finding}>
        <SheetPicture tone="wrong" />
        <div className={classes.words}>
          <h2 className={classes.headline}>{headlines[errorType]}</h2>
          <p className={classes.message}>
            <QuotedNames text={message} />
          </p>
          {hints.length > 0 && <Sentences className={classes.hints} texts={hints} />}
          {uploadPathOf !== undefined && otherDictionaries.length > 0 && (
            <div className={classes.others}>
              {otherDictionaries.map(({ id, name }) => (
                <Button key={id} component={Link} to={uploadPathOf(id)} variant="default">
                  Upload against {name}
                </Button>
              ))}
            </div>
          )}
          {!isFolded && details.length > 0 && <Sentences className={classes.details} texts={details} />}
        </div>
      </div>
      {columns.length > 0 && (
        <div className={classes.columns}>
          <ColumnTable columns={columns} />
          {isFolded && (
            <details className={classes.folded}>
              <summary>The same in sentences</summary>
              <Sentences className={classes.details} texts={details} />
            </details>
          )}
        </div>
      )}
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

const Sentences = ({ texts: sentences, className }: { texts: readonly string[]; className: string }) => (
  <ul className={className}>
    {sentences.map((text) => (
      <li key={text}>
        <QuotedNames text={text} />
      </li>
    ))}
  </ul>
)

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

/** Fewer columns with one note each keep it in their lines. */
const manyLines = 3

/**
 * The columns that differ from the dictionary: place, expected name, name in the file, and what to do, said
 * once above the table where it is the same for all. On narrow screens each column is a block. The roles are
 * explicit, as in `ui/tables/data-table.tsx`.
 */
function ColumnTable({ columns }: { columns: readonly ColumnDifference[] }) {
  const [{ note: firstNote }] = columns
  const isSame = columns.length >= manyLines && columns.every(({ note }) => note === firstNote)
  return (
    <table
      role="table"
      aria-label="Columns that differ"
      className={`${sheet.table} ${classes.table}`}
      data-narrow={isSame || undefined}
    >
      {isSame && (
        <caption>
          {texts.forAllColumns(columns.length)} <QuotedNames text={firstNote} />
        </caption>
      )}
      <thead role="rowgroup">
        <tr role="row">
          {['Column', 'Expected', 'Found', ...(isSame ? [] : ['What to do'])].map((header) => (
            <th key={header} role="columnheader" scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {columns.map(({ position, expected, found, note }, index) => (
          <tr key={`${position}-${index}`} role="row">
            <td role="cell" className={classes.place}>
              <span className={sheet.reference}>{position}</span>
            </td>
            <td role="cell" className={classes.expected} data-label="Expected">
              {expected === null ? <Nothing text="nothing" /> : <BreakableName name={expected} />}
            </td>
            <td role="cell" className={classes.found} data-label="Found">
              <Found name={found} />
            </td>
            {!isSame && (
              <td role="cell" className={classes.note}>
                <QuotedNames text={note} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Found({ name }: { name: string | null }) {
  if (name === null) return <Nothing text="nothing" />
  if (name === '') return <Nothing text="no name" />
  return <BreakableName name={name} />
}

const Nothing = ({ text }: { text: string }) => <span className={classes.nothing}>{text}</span>
