/** The map with one entry put, renamed or (undefined) taken away. What was not touched does not move. */
export function placeEntry<T>(
  map: Readonly<Record<string, T>>,
  former: string,
  name: string,
  value: T | undefined,
): Readonly<Record<string, T>> {
  const entry: [string, T][] = value === undefined ? [] : [[name, value]]
  const others = Object.entries(map).filter(([key]) => key === former || key !== name)
  if (!Object.hasOwn(map, former)) return Object.fromEntries([...others, ...entry])
  return Object.fromEntries(others.flatMap(pair => (pair[0] === former ? entry : [pair])))
}
