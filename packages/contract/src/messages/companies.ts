import { nameLimits } from '#limits.ts'
import { counted, writeCount } from '#notation/count.ts'

/** Sentences about companies. See docs/BEHAVIOUR.md#companies-and-administrators. */
export const companyMessages = {
  nameRequired: 'Name is required',
  storageFolderRequired: 'Storage folder is required',
  storageFolderInvalid:
    `Storage folder must be one folder name of at most ${nameLimits.maxStorageFolderLength} letters, ` +
    "digits, '-', '_' or '.'. It begins with a letter or digit, does not end with '.', and is no device " +
    'name such as CON.',
  duplicateName: 'A company with this name already exists.',
  duplicateStorageFolder: 'This storage folder is already in use.',
  storageFolderInUse: 'The storage folder cannot change, because files were already saved in it.',
  alreadyAssociated: 'This data dictionary is already associated with the company.',
  selectDictionary: 'Please select a data dictionary.',
  nothingToAssociate: 'The company has all data dictionaries already.',
  needsTitle: 'What needs you',
  protectionsHold: 'All hold',
  storageSuffices: 'There is enough space',
  storageLow: 'The storage is almost full: uploads are refused when it is full.',
  allStored: 'All are in the storage folders of their companies',
  storageErrors: (files: number) =>
    `${counted(files, 'accepted file')} could not be saved in the storage folder.`,
  allDelivered: 'All were delivered',
  rejectedTitle: 'Rejected in the last 7 days',
  rejected: (rejected: number, uploaded: number) => `${writeCount(rejected)} of ${counted(uploaded, 'file')}`,
  noneRejected: 'No file was rejected',
  noneRejectedText: 'Companies with rejected files are listed here.',

  created: 'The company has been created.',
  saved: 'The company has been saved.',
  paused: 'The company is paused: its uploads are refused, and its files wait.',
  resumed: 'The company goes on.',
  uploadsPaused:
    'The administrator has paused the uploads of your company. Files that were uploaded before wait, and ' +
    'go on when the pause ends. Reports and downloads work.',
  deleted: 'The company has been deleted.',
  associated: 'The data dictionary has been associated.',
  dissociated: 'The data dictionary has been removed from the company.',
} as const
