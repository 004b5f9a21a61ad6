/** What a form says when someone else saved the same thing first. See docs/BEHAVIOUR.md#forms. */
export const conflictMessages = {
  title: 'Someone else changed this in the meantime',
  text:
    'Nothing you typed is lost. Load the changes: what you entered stays, all else is brought up to date. ' +
    'Then check it and save again.',
  orderText:
    'Nothing is lost. Load the changes: your order stays, deleted fields go and new ones follow ' +
    'at the end. Then check it and save again.',
  load: 'Load the changes',
  otherValue: (value: string) => `Someone else saved '${value}' here. Saving again replaces it.`,
  otherEmpty: 'Someone else emptied this. Saving again fills it.',
} as const
