import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { walletEndpoints } from '../../../contract/wallet.ts'
import { ApiError, call, messageOf } from '../../api.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/callout.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextInput } from '../../ui/fields.tsx'
import { QuickChoices } from '../../ui/quick-choices.tsx'
import { SettingsLink } from '../../ui/settings-link.tsx'
import { toast } from '../../ui/toast.ts'
import { topUpText } from './catalogue.ts'
import { postForm } from './post-form.ts'
import { readAmount } from './read-amount.ts'
import styles from './topup.module.css'

const methods = ['zfb', 'wx'] as const
type Method = (typeof methods)[number]

/** Online top-up: an amount, what it costs, two ways to pay, and a question before leaving for the payment page. */
export function PayCard() {
  const t = useText(topUpText)
  const status = useStatus()
  const queryClient = useQueryClient()
  const least = Math.max(1, status?.min_topup ?? 1)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [method, setMethod] = useState<Method>()
  const amount = readAmount(text === '' ? String(least) : text)
  const isOn = status?.enable_online_topup === true
  const isEnough = amount !== undefined && amount >= least
  const shown = useDeferredValue(isEnough ? amount : 0)
  const asked = useQuery({ ...priceQuery(shown), enabled: isOn && shown > 0 })
  const price = isEnough && asked.data !== undefined ? t('price', { price: asked.data }) : undefined
  const refusal = isEnough && asked.error ? messageOf(asked.error) : undefined
  const pay = useMutation({
    mutationFn: async (payment_method: Method) => {
      const answer = await call(walletEndpoints.payTopUp, { body: { amount: amount ?? 0, payment_method } })
      if (answer.message !== 'success' || typeof answer.data === 'string' || !answer.url)
        throw new Error(String(answer.data))
      postForm(answer.url, answer.data)
    },
  })
  const choose = async (next: Method) => {
    if (!isOn) return toast.error(t('onlineOff'))
    if (!isEnough) return setError(t('tooSmall', { least }))
    // Without a price there is nothing to agree to; why there is none stands at the field.
    const isKnown = await queryClient.ensureQueryData(priceQuery(amount)).then(
      () => true,
      () => false,
    )
    if (isKnown) setMethod(next)
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
            onChange={event => {
              setError(undefined)
              setText(event.currentTarget.value)
            }}
          />
          {isOn && status.display_in_currency && (
            <QuickChoices
              label={t('amount')}
              choices={[10, 20, 50, 100, 500]
                .filter(choice => choice >= least)
                .map(choice => ({
                  label: `$${choice}`,
                  active: amount === choice,
                  choose: () => {
                    setError(undefined)
                    setText(String(choice))
                  },
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
            {methods.map(one => (
              <Button key={one} loading={pay.isPending && method === one} onClick={() => choose(one)}>
                {t(one)}
              </Button>
            ))}
          </div>
        )}
      </div>
      <Confirm
        opened={method !== undefined && !pay.isPending}
        title={t('confirmTitle')}
        action={t('confirmAction')}
        onConfirm={() => method && pay.mutate(method, { onSettled: () => setMethod(undefined) })}
        onCancel={() => setMethod(undefined)}
      >
        {t('confirmText', { amount: amount ?? 0, price: price ?? '–', method: method ? t(method) : '' })}
      </Confirm>
    </section>
  )
}

/** What the amount costs. */
function priceQuery(amount: number) {
  return queryOptions({
    queryKey: ['top-up-price', amount],
    queryFn: async ({ signal }) => {
      const answer = await call(walletEndpoints.topUpPrice, { body: { amount }, signal })
      if (answer.message !== 'success') throw new ApiError('refused', 200, answer.data)
      return answer.data
    },
    retry: false,
  })
}
