import { useEffect } from 'react'

/** Ignores files that are dropped beside a drop zone: the browser would open them in place of the page. */
export function useDropGuard(): void {
  useEffect(() => {
    window.addEventListener('dragover', ignoreFiles)
    window.addEventListener('drop', ignoreFiles)
    return () => {
      window.removeEventListener('dragover', ignoreFiles)
      window.removeEventListener('drop', ignoreFiles)
    }
  }, [])
}

/** Text that is dragged into an input, and drops that a zone handled, pass. */
function ignoreFiles(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
