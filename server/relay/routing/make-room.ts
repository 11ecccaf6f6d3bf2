/** Lets go of what was put into a map first, so that one more is no more than there may be. */
export function makeRoom(map: Map<unknown, unknown>, most: number): void {
  if (map.size < most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
