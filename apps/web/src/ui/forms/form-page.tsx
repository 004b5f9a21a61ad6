import type { FormEventHandler, ReactNode } from 'react'
import classes from './form-page.module.css'
import { FormWithErrorFocus } from './form-with-error-focus.tsx'
import { ActionButton } from './action-button.tsx'

export type FormSectionProps = {
  title: string
  /** Its title is above its inputs, which need the whole width. @default false */
  isWide?: boolean
  children: ReactNode
}

export function FormSection({ title, isWide = false, children }: FormSectionProps) {
  return (
    <section className={classes.section} data-wide={isWide || undefined}>
      <h2>{title}</h2>
      <div className={classes.fields}>{children}</div>
    </section>
  )
}

/** A helper for filling in the form: beside it on wide screens, otherwise between the sections. */
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
  /** Keeps Cancel and Save visible in a form that is higher than the screen. @default false */
  isLong?: boolean
  /** Stands beside Cancel and Save. */
  beside?: ReactNode
  /** Stands between Cancel and Save: another way to save. */
  saveToo?: ReactNode
  children: ReactNode
}

/** A form that is the content of a screen, with Cancel and Save at its end. */
export function FormPage({
  onSubmit,
  cancelPath,
  canSave,
  isSaving,
  isLong = false,
  beside,
  saveToo,
  children,
}: FormPageProps) {
  return (
    <FormWithErrorFocus isBusy={isSaving} onSubmit={onSubmit} className={classes.form}>
      {children}
      <div className={classes.actions} data-in-sight={isLong || undefined}>
        {beside}
        <ActionButton label="Cancel" to={cancelPath} variant="default" />
        {saveToo}
        <ActionButton label="Save" type="submit" disabled={!canSave} isBusy={isSaving} />
      </div>
    </FormWithErrorFocus>
  )
}
