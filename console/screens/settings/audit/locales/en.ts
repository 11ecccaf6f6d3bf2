import type zh from './zh.ts'

export default {
  lead: 'Who changed what, and when. Each record is chained to the previous one, so tampering is detected.',
  verify: 'Verify',
  intact: '{count, plural, one {Intact: # record} other {Intact: # records}}',
  broken: 'Broken from record {id} on',
  who: 'Done by',
  subject: 'Subject',
  subjectHint: 'Subject, such as user:12',
  change: 'Change',
  anyAction: 'All actions',
  nobody: 'Not logged in',
  more: '{count} more',
  field: 'Field',
  before: 'Before',
  after: 'After',
  none: 'No records',
  sameSubject: 'All records of this subject',
} satisfies Record<keyof typeof zh, string>
