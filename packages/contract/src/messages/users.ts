/** Sentences about users and administrators. See docs/BEHAVIOUR.md#people-and-rights. */
export const userMessages = {
  nameRequired: 'Name is required',
  emailRequired: 'Email is required',
  emailInvalid: 'A valid email address is required.',
  phoneInvalid: "Phone number must begin with '+' or consist of digits only.",
  duplicateEmail: 'A user with this email address already exists.',
  companyRequired: 'A company user needs a company.',
  administratorWithCompany: 'An administrator cannot belong to a company.',
  ownEmail: 'You cannot change your own email address.',
  ownAccount: 'You cannot do this to your own account.',
  lastAdministrator: 'The last administrator cannot be deleted.',
  created: 'The user has been created. An email to set the password is on its way.',
  saved: 'The user has been saved.',
  savedAndInvited: 'The user has been saved. An email to set a password is on its way to the new address.',
  deleted: 'The user has been deleted.',
  resetSent: 'An email to reset the password is on its way.',
} as const
