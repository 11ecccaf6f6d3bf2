/** Of what a form would send, what differs from what was read: all else may have been changed by others meanwhile. */
export function changedFields<T extends object>(read: T, now: T): Partial<T> {
  const before = new Map<string, unknown>(Object.entries(read))
  const isNew = ([field, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before.get(field))
  return Object.fromEntries(Object.entries(now).filter(isNew)) as Partial<T>
}
