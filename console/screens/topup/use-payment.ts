import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useRef, useState } from 'react'
import type { StatusDocument } from '../../../contract/system.ts'
import { messageOf } from '../../api.ts'
import { useText } from '../../text.ts'
import { topUpText } from './catalogue.ts'
import { priceText } from './price-text.ts'
import { readAmount } from './read-amount.ts'
import { type Method, priceQuery, type Way, waysOf } from './ways.ts'

interface Chosen {
  readonly way: Way
  readonly method: Method
  readonly amount: number
  readonly price: string
}

/** An amount, what it costs, and the way that was chosen to pay it, which is agreed to before anybody leaves for it. */
export function usePayment(status: StatusDocument | undefined) {
  const t = useText(topUpText)
  const queryClient = useQueryClient()
  const ways = waysOf(status)
  const leastOf = (way: Way) => Math.max(1, status ? way.least(status) : 1)
  const least = ways.length > 0 ? Math.min(...ways.map(leastOf)) : Math.max(1, status?.min_topup ?? 1)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [chosen, setChosen] = useState<Chosen>()
  const [asking, setAsking] = useState<Method>()
  const asked = useRef(0)
  const amount = readAmount(text === '' ? String(least) : text) ?? 0
  const { price, refusal } = usePrice({ ways, leastOf, least, amount })
  const pay = useMutation({
    mutationFn: ({ way, method, amount: agreed }: Chosen) => way.pay(agreed, method),
  })
  const choose = async (way: Way, method: Method) => {
    if (amount < leastOf(way)) return setError(t('tooSmall', { least: leastOf(way) }))
    // Without a price there is nothing to agree to; why there is none is said at the field.
    const turn = ++asked.current
    setAsking(method)
    try {
      const found = await queryClient.ensureQueryData(priceQuery(way, amount))
      if (turn === asked.current) setChosen({ way, method, amount, price: priceText(t, found) })
    } catch (why) {
      if (turn === asked.current) setError(messageOf(why))
    }
    if (turn === asked.current) setAsking(undefined)
  }
  /** Whoever wants another amount is not asked about the one before. */
  const type = (next: string) => {
    asked.current++
    setAsking(undefined)
    setError(undefined)
    setText(next)
  }
  const cancel = () => setChosen(undefined)
  return {
    ...{ ways, least, text, type, amount, price, error: error ?? refusal },
    choose,
    /** Whether this one is on its way to a price, or to its payment page. */
    isBusy: (method: Method) => asking === method || (pay.isPending && chosen?.method === method),
    chosen,
    /** Whether it is still to be agreed to. */
    isAsked: chosen !== undefined && !pay.isPending,
    agree: () => chosen && pay.mutate(chosen, { onSettled: cancel }),
    cancel,
  }
}

interface Priced {
  readonly ways: readonly Way[]
  leastOf(way: Way): number
  readonly least: number
  readonly amount: number
}

/** At every way that takes so little; where none has said one, why not. */
function usePrice({ ways, leastOf, least, amount }: Priced) {
  const t = useText(topUpText)
  const shown = useDeferredValue(amount)
  const prices = useQueries({
    queries: ways.map(way => ({ ...priceQuery(way, shown), enabled: shown >= leastOf(way) })),
  })
  const price = ways
    .flatMap((way, at) => (amount >= leastOf(way) ? (prices[at]?.data ?? []) : []))
    .map(found => priceText(t, found))
    .join(' · ')
  const failed = prices.find(({ error }) => error)
  return {
    price,
    refusal: price === '' && amount >= least && failed?.error ? messageOf(failed.error) : undefined,
  }
}
