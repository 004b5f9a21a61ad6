import { sessionMessages } from '@veridict/contract/messages/session'
import { paths } from '#app/paths.ts'
import classes from '#features/session/entry-form.module.css'
import { EmailField, EntryFailure, EntryFrame } from '#features/session/entry-frame.tsx'
import { useEntryForm } from '#features/session/use-entry-form.ts'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { TextLink } from '#ui/forms/action-button.tsx'

/** Requests the e-mail with a link. The response is the same for unknown addresses, and stays at the form. */
export function ForgotPassword() {
  const entry = useEntryForm({
    initialValues: { email: '' },
    schema: ({ forgotPasswordForm }) => forgotPasswordForm,
    send: ({ sendForgotPassword }, values) => sendForgotPassword(values),
  })
  const { form, failure, reply } = entry
  return (
    <EntryFrame
      tabTitle={sessionMessages.forgotTitle}
      title={sessionMessages.forgotTitle}
      text={sessionMessages.forgotText}
      entry={entry}
      submitLabel="Send email"
      foot={<TextLink label="Back to login" to={paths.login} className={classes.link} />}
    >
      {failure && <EntryFailure message={failure.text} />}
      {reply && <SuccessPanel title={reply.message} />}
      <EmailField key={form.key('email')} {...form.getInputProps('email')} />
    </EntryFrame>
  )
}
