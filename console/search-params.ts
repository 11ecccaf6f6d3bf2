// Filters live in the address. What is not there, or makes no sense, is left out of it.

type Search = Readonly<Record<string, unknown>>

/** For `validateSearch`: the router keeps what a reader leaves out, so it is taken away by name. */
export function keepOnly<S extends object>(read: (search: Search) => S): (search: Search) => S {
  return search => {
    const nothing: object = Object.fromEntries(Object.keys(search).map(name => [name, undefined]))
    return { ...nothing, ...read(search) }
  }
}

/** The page of a list, from 2 on; the first needs no mention. */
export function readPage(search: Search): { p?: number } {
  const page = Number(search.p)
  return Number.isSafeInteger(page) && page > 1 ? { p: page } : {}
}

export function readText<K extends string>(search: Search, name: K): { [N in K]?: string } {
  const value = search[name]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return (text === '' ? {} : { [name]: text }) as { [N in K]?: string }
}

export function readInteger<K extends string>(search: Search, name: K): { [N in K]?: number } {
  const value = search[name] === '' || search[name] === null ? Number.NaN : Number(search[name])
  return (Number.isSafeInteger(value) ? { [name]: value } : {}) as { [N in K]?: number }
}

export function readFlag<K extends string>(search: Search, name: K): { [N in K]?: true } {
  return (String(search[name]) === 'true' ? { [name]: true } : {}) as { [N in K]?: true }
}

export function readChoice<K extends string, const V extends string>(
  search: Search,
  name: K,
  choices: readonly V[],
): { [N in K]?: V } {
  const value = choices.find(choice => choice === search[name])
  return (value === undefined ? {} : { [name]: value }) as { [N in K]?: V }
}
