/** What every engine takes: PostgreSQL has no NUL in text, and no engine half a surrogate pair. */
export function plainText(value: string, most = value.length): string {
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value
  return (text.length > most ? text.slice(0, most) : text).toWellFormed()
}
