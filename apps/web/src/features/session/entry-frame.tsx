import {
  Alert,
  Button,
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { Logo } from '#ui/layout/logo.tsx'
import { ThemeSwitch } from '#ui/layout/theme-switch.tsx'
import formClasses from './entry-form.module.css'
import classes from './entry-frame.module.css'

export type EntryFrameProps = {
  tabTitle: string
  title: ReactNode
  text?: ReactNode
  /** What `useEntryForm` returns. */
  entry: { form: { submitting: boolean }; isPending: boolean; onSubmit: FormEventHandler<HTMLFormElement> }
  submitLabel: string
  isDisabled?: boolean
  foot: ReactNode
  children: ReactNode
}

/** The frame of the screens for visitors: the form on one side, a picture of the product on the other. */
export function EntryFrame({ tabTitle, title, text, entry, submitLabel, ...form }: EntryFrameProps) {
  return (
    <div className={classes.frame}>
      <title>{`${tabTitle} · Veridict`}</title>
      <main className={classes.side}>
        <div className={classes.logo}>
          <Logo size={32} />
        </div>
        <div className={classes.form}>
          <h1 className={classes.title}>{title}</h1>
          {text && <p className={classes.text}>{text}</p>}
          <FormWithErrorFocus
            isBusy={entry.form.submitting}
            className={formClasses.form}
            onSubmit={entry.onSubmit}
          >
            {form.children}
            <Button type="submit" fullWidth disabled={form.isDisabled} loading={entry.isPending}>
              {submitLabel}
            </Button>
            {form.foot}
          </FormWithErrorFocus>
        </div>
        <div className={classes.theme}>
          <ThemeSwitch />
        </div>
      </main>
      <aside className={classes.stage} aria-hidden="true">
        <CheckedSheet />
        <p className={classes.claim}>
          Every cell checked.
          <br />
          Every error explained.
        </p>
      </aside>
    </div>
  )
}

/** Says at the form why it was refused, with a link that helps: a notice disappears after 4 seconds. */
export function EntryFailure({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <Alert color="brand">
      <p className={formClasses.fault}>{message}</p>
      {children}
    </Alert>
  )
}

/** Whose account it is: the first thing to type, or what a password manager fills in. */
export const EmailField = (props: TextInputProps) => (
  <TextInput label="Email" type="email" autoComplete="username" autoFocus {...props} />
)

/** A password input that sets `aria-invalid` with its error; Mantine's own changes only its look. */
export const PasswordField = ({ error, ...props }: PasswordInputProps) => (
  <PasswordInput error={error} aria-invalid={error ? true : undefined} {...props} />
)

const columnLetters = ['A', 'B', 'C', 'D']
/** An invented file with one wrong date. */
const rows = [
  ['1', 'Member', 'Name', 'Born', 'Amount'],
  ['2', '40718', 'A. Lindqvist', '14/03/1986', '120.00'],
  ['3', '40719', 'R. Okafor', '02/11/1974', '86.50'],
  ['4', '40722', 'M. Ferreira', '31/02/1991', '240.00'],
  ['5', '40725', 'J. Novák', '27/08/2001', '19.90'],
  ['6', '40731', 'S. Haddad', '09/12/1968', '310.25'],
]
const wrongRow = '4'
const wrongColumn = 3

/** A picture of what the portal does: a sheet with one wrong cell, and its error. */
function CheckedSheet() {
  return (
    <div className={classes.scene}>
      <div className={classes.sheet}>
        <div className={classes.row} data-head>
          <span />
          {columnLetters.map((letter) => (
            <span key={letter}>{letter}</span>
          ))}
        </div>
        {rows.map(([number, ...cells]) => (
          <div key={number} className={classes.row} data-label={number === '1' || undefined}>
            <span className={classes.number}>{number}</span>
            {cells.map((cell, index) => (
              <span
                key={cell}
                className={number === wrongRow && index + 1 === wrongColumn ? classes.wrong : classes.cell}
              >
                {cell}
              </span>
            ))}
          </div>
        ))}
      </div>
      <div className={classes.verdict}>
        <span className={classes.place}>C4</span>
        <span className={classes.error}>This day does not exist in the calendar.</span>
        <span className={classes.expected}>
          Expected <b>a date like 31/12/2024</b>
        </span>
      </div>
    </div>
  )
}
