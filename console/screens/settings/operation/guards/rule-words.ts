/** What the choices of a rule are called. */
export const choiceWords = {
  input: 'guard.input',
  output: 'guard.output',
  'tool-input': 'guard.toolInput',
  'tool-output': 'guard.toolOutput',
  kinds: 'guard.kinds',
  words: 'guard.words',
  pattern: 'guard.pattern',
  webhook: 'guard.webhook',
  model: 'guard.model',
  mask: 'guard.mask',
  block: 'guard.block',
  note: 'guard.note',
  allow: 'guard.allow',
} as const

/** What is said of a field that lacks something. */
export const missingWords = {
  name: 'guard.missing.name',
  where: 'guard.missing.kinds',
  kinds: 'guard.missing.kinds',
  words: 'guard.missing.words',
  pattern: 'guard.missing.pattern',
  url: 'guard.missing.url',
  secret: 'guard.missing.secret',
  judge: 'guard.missing.judge',
  categories: 'guard.missing.categories',
  seconds: 'guard.missing.seconds',
} as const
