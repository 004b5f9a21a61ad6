import { Button } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './form-page.module.css'
import { FormWithErrorFocus } from './form-with-error-focus.tsx'
import { SubmitButton } from './submit-button.tsx'

/** A titled part of a form. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      <div className={classes.fields}>{children}</div>
    </section>
  )
}

/**
 * A part that helps to fill the form: beside it where there is room, else in its place among the sections.
 */
export function FormAside({ title, children }: { title: string; children: ReactNode }) {
  return (
    <aside className={classes.aside} aria-label={title}>
      <div className={classes.helper}>
        <h2>{title}</h2>
        <div className={classes.help}>{children}</div>
      </div>
    </aside>
  )
}

export type FormPageProps = {
  onSubmit: FormEventHandler<HTMLFormElement>
  cancelPath: string
  canSave: boolean
  isSaving: boolean
  /** A form of many screens' height keeps Cancel and Save in sight. @default false */
  isLong?: boolean
  children: ReactNode
}

/** A form that fills a screen, with Cancel and Save at its end. */
export function FormPage({
  onSubmit,
  cancelPath,
  canSave,
  isSaving,
  isLong = false,
  children,
}: FormPageProps) {
  return (
    <FormWithErrorFocus isBusy={isSaving} onSubmit={onSubmit} className={classes.form}>
      {children}
      <div className={classes.actions} data-in-sight={isLong || undefined}>
        <Button component={Link} to={cancelPath} variant="default">
          Cancel
        </Button>
        <SubmitButton disabled={!canSave} isBusy={isSaving}>
          Save
        </SubmitButton>
      </div>
    </FormWithErrorFocus>
  )
}
