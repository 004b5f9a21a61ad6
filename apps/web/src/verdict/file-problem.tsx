import { CopyButton, Group } from '@mantine/core'
import { fileCheckMessages } from '@veridict/contract/messages/file-check'
import { correctedMessages } from '@veridict/contract/messages/report'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { correctableOf } from '@veridict/contract/model/cause'
import {
  ErrorType,
  type ColumnDifference,
  type FileProblem as Problem,
} from '@veridict/contract/model/verdict'
import { SheetPicture } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import classes from './file-problem.module.css'
import sheet from './sheet-table.module.css'
import { SheetTable } from './sheet-table.tsx'

export type FileProblemProps = {
  problem: Problem
  /** The upload screen, perhaps with one of the `otherDictionaries`. Absent on that screen itself. */
  uploadPath?: (dictionaryId?: number) => string
  /** Checks the file against one of the `otherDictionaries` instead. */
  onDictionary?: (dictionaryId: number) => void
  onCorrect?: () => void
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
export function FileProblem({ problem, uploadPath, ...on }: FileProblemProps) {
  const { errorType, message, details, hints = [], otherDictionaries = [], causes = [] } = problem
  const isHeadingMissing = causes.some(({ kind }) => kind === 'headingMissing')
  // Without a heading row, each column would get the same instruction.
  const columns = (!isHeadingMissing && problem.columns) || []
  // The table, or the button, has what these say. The expected order is nowhere else.
  const isRepeated = isHeadingMissing || (columns.length > 0 && errorType === ErrorType.Columns)
  const { onDictionary, onCorrect } = on
  const canCorrect = onCorrect !== undefined && causes.some((cause) => correctableOf(cause) !== 'no')
  const isForAnother = otherDictionaries.length > 0
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
          {isForAnother && (
            <div className={classes.others}>
              {uploadPath === undefined && <p>{fileCheckMessages.fits(otherDictionaries)}</p>}
              {otherDictionaries.map(({ id, name }) => (
                <ActionButton
                  key={id}
                  label={uploadPath === undefined ? fileCheckMessages.choose(name) : `Upload against ${name}`}
                  to={uploadPath?.(id)}
                  variant={otherDictionaries.length === 1 ? 'filled' : 'default'}
                  onClick={() => onDictionary?.(id)}
                />
              ))}
            </div>
          )}
          {!isRepeated && details.length > 0 && <Sentences className={classes.details} texts={details} />}
        </div>
      </div>
      {columns.length > 0 && (
        <div className={classes.columns}>
          <ColumnTable columns={columns} />
        </div>
      )}
      {(isStructure(errorType) || uploadPath !== undefined || canCorrect) && (
        <div className={classes.cure}>
          {isStructure(errorType) && <StructureAdvice />}
          {!isStructure(errorType) && uploadPath !== undefined && <p>{texts.uploadAgain}</p>}
          <Group gap={10} mt="md">
            {canCorrect && (
              <ActionButton
                label={correctedMessages.copy}
                variant={isForAnother ? 'default' : 'filled'}
                aria-haspopup="dialog"
                onClick={onCorrect}
              />
            )}
            {isHeadingMissing && <CopyHeading {...problem} />}
            {uploadPath !== undefined && (
              <ActionButton
                label="Upload new file"
                to={uploadPath()}
                variant={canCorrect || isForAnother ? 'default' : 'filled'}
              />
            )}
          </Group>
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

/** Copies the heading row for a spreadsheet, where tabs separate cells. */
const CopyHeading = ({ columns = [] }: Problem) => (
  <CopyButton value={columns.flatMap(({ expected }) => expected ?? []).join('\t')}>
    {({ copied, copy }) => (
      <ActionButton
        label={copied ? correctedMessages.headingCopied : correctedMessages.copyHeading}
        variant="default"
        onClick={copy}
      />
    )}
  </CopyButton>
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

/** What to do stands once above the table where it is the same for all. */
function ColumnTable({ columns }: { columns: readonly ColumnDifference[] }) {
  const [{ note: firstNote }] = columns
  const isSame = columns.length >= manyLines && columns.every(({ note }) => note === firstNote)
  return (
    <SheetTable
      aria-label="Columns that differ"
      headers={['Column', 'Expected', 'Found', ...(isSame ? [] : ['What to do'])]}
      caption={
        isSame && (
          <>
            {texts.forAllColumns(columns.length)} <QuotedNames text={firstNote} />
          </>
        )
      }
      className={classes.table}
      data-narrow={isSame || undefined}
    >
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
    </SheetTable>
  )
}

function Found({ name }: { name: string | null }) {
  if (name === null) return <Nothing text="nothing" />
  if (name === '') return <Nothing text="no name" />
  return <BreakableName name={name} />
}

const Nothing = ({ text }: { text: string }) => <span className={classes.nothing}>{text}</span>

/** A sentence whose names in quotes are bold: they are what people look for in a list of differences. */
const QuotedNames = ({ text }: { text: string }) =>
  text.split(/("[^"]+")/).map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part))
