import type zh from './zh.ts'

export default {
  title: 'Edit profile',
  lead: 'Change your username and display name',
  username: 'Username',
  usernameHint: 'Used to log in, at most 12 characters',
  usernameLength: 'The username must be 1 to 12 characters long',
  displayName: 'Display name',
  displayNameLength: 'The display name must be 1 to 20 characters long',
  save: 'Save',
  saved: 'Saved',
  unchanged: 'Nothing has changed',
  cancel: 'Back to settings',
} satisfies Record<keyof typeof zh, string>
