/**
 * The same, but what is asked meanwhile waits. What anyone may ask for must not take all connections to the database:
 * the calls of models need them.
 */
export function oneAfterAnother<Asked, Answer>(
  read: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  return asked => {
    const next = last.then(() => read(asked))
    last = next.catch(() => {})
    return next
  }
}
