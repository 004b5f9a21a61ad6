import { Page } from '#ui/layout/page.tsx'
import classes from './about-us.module.css'

const parts = [
  {
    title: 'You upload a file',
    text:
      'A CSV file or an Excel workbook with one header row. You choose the data dictionary that ' +
      'describes it: which columns there are, in which order, and what each may hold.',
  },
  {
    title: 'Every cell is checked',
    text:
      'First the columns, then each value against its rule: text, number, date, a pattern, or an ' +
      'item from a list. Nothing is corrected silently and nothing is accepted in part.',
  },
  {
    title: 'You learn what would be right',
    text:
      'Hundreds of errors become a few causes, each with what to do in Excel; each error names its cell, ' +
      'the value that was found and what was expected. You can download all errors, your own file with ' +
      'the cells marked, or a copy of it with the corrections that you tick.',
  },
  {
    title: 'The accepted file goes on',
    text:
      'A file without errors is stored, byte for byte as you sent it, in the folder of your company. ' +
      'You receive an email with the result either way.',
  },
]

export function AboutUs() {
  return (
    <Page
      title="About Veridict"
      narrow
      lead="A verdict on every cell of your file, and a way to put it right."
    >
      <ol className={classes.steps}>
        {parts.map(({ title, text }) => (
          <li key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </Page>
  )
}
