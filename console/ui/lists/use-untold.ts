import { useEffect, useEffectEvent, useState } from 'react'

interface Untold<Search> {
  /** What the list is searched for, with what the address does not tell. */
  readonly search: Search
  /** Goes to the list as this search has it. */
  show(search: Search): unknown
}

/**
 * A filter that stands in no address while it is what nobody else may read, such as a key. It is kept while the list is
 * there, and by no saved view.
 */
export function useUntold<Search extends object, Name extends string & keyof Search>(
  told: Omit<Search, Name> & { readonly [N in Name]?: Search[N] },
  name: Name,
  isUntold: (text: string) => boolean,
  tell: (told: Search, replace: boolean) => unknown,
): Untold<Search> {
  const [untold, setUntold] = useState('')
  const said = String(told[name] ?? '')
  const isTold = said !== ''
  const follow = useEffectEvent((text: string) => {
    if (text !== '' && isUntold(text)) show(told as Search)
    else if (text !== '') setUntold('')
  })
  // Back and Forward bring an address that says something else; one that was kept with a key in it loses it.
  useEffect(() => follow(said), [said])
  const search = (untold === '' || isTold ? told : { ...told, [name]: untold }) as Search
  const show = (next: Search) => {
    const wanted = String(next[name] ?? '')
    const hides = wanted !== '' && isUntold(wanted)
    // Where the address is to say something else, what it did not tell goes when it does.
    if (hides || wanted === '') setUntold(wanted)
    return tell(hides ? { ...next, [name]: undefined } : next, hides && next === told)
  }
  return { search, show }
}
