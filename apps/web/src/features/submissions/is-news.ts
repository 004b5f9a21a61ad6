/**
 * Whether a push is of an upload that came after all that is shown (ids grow with time). A push of an older
 * one that is not shown concerns another page, and nothing needs to be read for it.
 */
export const isNews = (fileId: number, shownIds: readonly number[]): boolean =>
  shownIds.every((id) => id < fileId)
