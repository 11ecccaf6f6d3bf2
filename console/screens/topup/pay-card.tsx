import { Button } from '@mantine/core'
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useRef, useState } from 'react'
import { messageOf } from '../../api.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { QuickChoices } from '../../ui/fields/quick-choices.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { SettingsLink } from '../../ui/page/settings-link.tsx'
import { topUpText } from './catalogue.ts'
import { priceText } from './price-text.ts'
import { readAmount } from './read-amount.ts'
import styles from './topup.module.css'
import { type Method, priceQuery, type Way, waysOf } from './ways.ts'

interface Chosen {
  readonly way: Way
  readonly method: Method
  readonly amount: number
  readonly price: string
}

/** Online top-up: an amount, what it costs, the ways to pay, and a question before leaving for the payment page. */
export function PayCard() {
  const t = useText(topUpText)
  const status = useStatus()
  const queryClient = useQueryClient()
  const ways = waysOf(status)
  const isOn = ways.length > 0
  const leastOf = (way: Way) => Math.max(1, status ? way.least(status) : 1)
  const least = isOn ? Math.min(...ways.map(leastOf)) : Math.max(1, status?.min_topup ?? 1)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [chosen, setChosen] = useState<Chosen>()
  const [asking, setAsking] = useState<Method>()
  const asked = useRef(0)
  const amount = readAmount(text === '' ? String(least) : text) ?? 0
  const shown = useDeferredValue(amount)
  const prices = useQueries({
    queries: ways.map(way => ({ ...priceQuery(way, shown), enabled: shown >= leastOf(way) })),
  })
  const price = ways
    .flatMap((way, at) => (amount >= leastOf(way) ? (prices[at]?.data ?? []) : []))
    .map(found => priceText(t, found))
    .join(' · ')
  const failed = prices.find(({ error: why }) => why)
  const refusal = price === '' && amount >= least && failed?.error ? messageOf(failed.error) : undefined
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
  return (
    <section className={styles.card} aria-labelledby="pay-title">
      <h2 id="pay-title">{t('onlineTitle')}</h2>
      <div className={styles.form}>
        <div>
          <TextInput
            label={status?.display_in_currency === false ? t('amountUnits') : t('amount')}
            placeholder={t('amountPlaceholder', { least })}
            inputMode="numeric"
            disabled={!isOn}
            value={text}
            error={error ?? refusal}
            rightSection={price && <span className={styles.price}>{price}</span>}
            rightSectionWidth={price ? price.length * 9 + 24 : undefined}
            rightSectionPointerEvents="none"
            onChange={event => type(event.currentTarget.value)}
          />
          {isOn && status?.display_in_currency && (
            <QuickChoices
              label={t('amount')}
              choices={[10, 20, 50, 100, 500]
                .filter(choice => choice >= least)
                .map(choice => ({
                  label: `$${choice}`,
                  active: amount === choice,
                  choose: () => type(String(choice)),
                }))}
            />
          )}
        </div>
        {status && !isOn ? (
          <Callout>
            {t('onlineOff')} <SettingsLink section="system.payment" />
          </Callout>
        ) : (
          <div className={styles.buttons}>
            {ways.flatMap(way =>
              way.methods.map(method => (
                <Button
                  key={method}
                  variant={method === ways[0]?.methods[0] ? 'filled' : 'default'}
                  loading={asking === method || (pay.isPending && chosen?.method === method)}
                  onClick={() => choose(way, method)}
                >
                  {t(method)}
                </Button>
              )),
            )}
          </div>
        )}
      </div>
      <Confirm
        opened={chosen !== undefined && !pay.isPending}
        title={t('confirmTitle')}
        action={t('confirmAction')}
        onConfirm={() => chosen && pay.mutate(chosen, { onSettled: () => setChosen(undefined) })}
        onCancel={() => setChosen(undefined)}
      >
        {chosen && t('confirmText', { amount: chosen.amount, price: chosen.price, method: t(chosen.method) })}
      </Confirm>
    </section>
  )
}
