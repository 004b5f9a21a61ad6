import { Anchor, TextInput } from '@mantine/core'
import { sessionMessages } from '@veridict/contract/messages/session'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { EntryFailure } from '#features/session/entry-failure.tsx'
import classes from '#features/session/entry-form.module.css'
import { EntryFrame } from '#features/session/entry-frame.tsx'
import { useEntryForm } from '#features/session/use-entry-form.ts'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { BusyButton } from '#ui/forms/busy-button.tsx'

/** Requests the e-mail with a link. The response is the same for unknown addresses, and stays at the form. */
export function ForgotPassword() {
  const { form, isPending, failure, reply, onSubmit } = useEntryForm({
    initialValues: { email: '' },
    schema: ({ forgotPasswordForm }) => forgotPasswordForm,
    send: ({ sendForgotPassword }, values) => sendForgotPassword(values),
  })
  return (
    <EntryFrame
      tabTitle={sessionMessages.forgotTitle}
      title={sessionMessages.forgotTitle}
      text={sessionMessages.forgotText}
    >
      <FormWithErrorFocus isBusy={form.submitting} className={classes.form} onSubmit={onSubmit}>
        {failure && <EntryFailure message={failure.text} />}
        {reply && <SuccessPanel title={reply.message} />}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <BusyButton type="submit" fullWidth isBusy={isPending}>
          Send email
        </BusyButton>
        <Anchor component={Link} to={paths.login} className={classes.link}>
          Back to login
        </Anchor>
      </FormWithErrorFocus>
    </EntryFrame>
  )
}
