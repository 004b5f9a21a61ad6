import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#app/paths.ts'
import { EntryFrame } from '#features/session/entry-frame.tsx'
import { SetPasswordForm } from '#features/session/set-password-form.tsx'

export function SetPassword() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const email = query.get('email')
  return (
    <EntryFrame tabTitle="Set password" title="Choose your password" text={email && `For ${email}`}>
      <SetPasswordForm
        email={email}
        token={query.get('token')}
        loginPath={paths.login}
        forgotPasswordPath={paths.forgotPassword}
        onDone={() => void navigate(paths.login)}
      />
    </EntryFrame>
  )
}
