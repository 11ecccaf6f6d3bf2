/** Names of fields in which secrets are: those of tool servers mostly. */
const names = '(?:proxy-)?(?:authorization(?:_token)?|(?:x-)?(?:goog-)?api[-_]?key|access[-_]?token)'

/** As fields of a body, and of JSON that a body has as a text, such as the arguments of a tool. */
const fields = new RegExp(`("${names}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'gi')
const quoted = new RegExp(
  `(\\\\"${names}\\\\"\\s*:\\s*\\\\")(?:[^"\\\\]|\\\\\\\\(?:\\\\["\\\\]|[^"\\\\]))*`,
  'gi',
)

/** Without one of these there are none; to look for them costs next to nothing. */
const hint = /uthoriz|pi[-_]?key|ccess[-_]?token/i

/** Without the secrets that people put into requests; some vendors repeat them in their answers. */
export function hideSecrets(text: string): string {
  return hint.test(text) ? text.replace(fields, '$1***').replace(quoted, '$1***') : text
}
