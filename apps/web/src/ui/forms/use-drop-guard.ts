import { useEffect } from 'react'

/**
 * While a place for files is on the screen, a file that is dropped beside it does nothing: the browser would
 * open it in place of the page, and what was filled in would be gone.
 */
export function useDropGuard(): void {
  useEffect(() => {
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
}

/** What has been taken already is left alone, and so is text that is dragged into an input. */
function refuse(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
