import { EntryFrame } from '#features/session/entry-frame.tsx'
import { LoginForm } from '#features/session/login-form.tsx'

export function Login() {
  return (
    <EntryFrame
      tabTitle="Login"
      title="Welcome back"
      text="Log in to upload files and read the verdict on every cell."
    >
      <LoginForm />
    </EntryFrame>
  )
}
