import { confirmAndLogOut } from './ask-and-log-out.ts'

export function LogOutButton({ className }: { className?: string }) {
  return (
    <button type="button" className={className} onClick={() => void confirmAndLogOut()}>
      Log out
    </button>
  )
}
