/** Sentences about data dictionaries. See docs/BEHAVIOUR.md#dictionaries. */
export const dictionaryMessages = {
  nameRequired: 'Name is required',
  renameRequired: 'Name is required.',
  copyNameRequired: 'Dictionary is required.',
  nameTooLong: 'Data dictionary name cannot exceed 150 characters.',
  duplicateName: 'A data dictionary with this name already exists.',
  importWrongType: 'Invalid file type. Only .xlsx file is allowed.',
  importTooLarge: 'Maximum file size allowed is 1 MB.',
  sampleWrongType: 'Invalid file type. Only .xlsx, .csv and .json files are allowed.',
  imported: 'Data dictionary has been imported successfully.',
  invalidId: 'Invalid dictionary ID.',
  exportFailed: 'Failed to export file.',
  created: 'The data dictionary has been created.',
  saved: 'The data dictionary has been saved.',
  deleted: 'The data dictionary has been deleted.',
} as const
