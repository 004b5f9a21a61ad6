/** Titles and texts of dialogs. See docs/BEHAVIOUR.md#forms. */
export const dialogMessages = {
  activeSessionTitle: 'Active Session',
  activeSessionText:
    'Setting the new password will end existing session(s) in other tab(s). Do you want to continue?',
  unsavedChangesTitle: 'Unsaved changes',
  unsavedChangesText: 'You have unsaved changes. Are you sure you want to discard them?',
  leaveUploadText: 'A file is still uploading. Are you sure you want to leave?',
  /** Before an administrator resets a user's password. Ours. */
  resetPasswordTitle: 'Reset password',
  resetPasswordText: (name: string, email: string) =>
    `${name} is logged out everywhere, and an email with a link to set a new password is sent to ${email}.`,
  deleteTitle: 'Delete item',
  deleteText: 'The selected item will be removed permanently:',
} as const
