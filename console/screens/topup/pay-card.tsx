import { Button } from '@mantine/core'
import { formatCount } from '../../format.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { QuickChoices } from '../../ui/fields/quick-choices.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { SettingsLink } from '../../ui/page/settings-link.tsx'
import { topUpText } from './catalogue.ts'
import styles from './topup.module.css'
import { usePayment } from './use-payment.ts'

/** Online top-up: an amount, what it costs, the ways to pay, and a question before leaving for the payment page. */
export function PayCard() {
  const t = useText(topUpText)
  const status = useStatus()
  const payment = usePayment(status)
  const { ways, chosen } = payment
  return (
    <section className={styles.card} aria-labelledby="pay-title">
      <h2 id="pay-title">{t('onlineTitle')}</h2>
      <div className={styles.form}>
        <AmountField payment={payment} inDollars={status?.display_in_currency} />
        {status && ways.length === 0 ? (
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
                  loading={payment.isBusy(method)}
                  onClick={() => payment.choose(way, method)}
                >
                  {t(method)}
                </Button>
              )),
            )}
          </div>
        )}
      </div>
      <Confirm
        opened={payment.isAsked}
        title={t('confirmTitle')}
        action={t('confirmAction')}
        onConfirm={payment.agree}
        onCancel={payment.cancel}
      >
        {chosen &&
          t('confirmText', {
            amount: formatCount(chosen.amount),
            price: chosen.price,
            method: t(chosen.method),
          })}
      </Confirm>
    </section>
  )
}

/** Letters of an amount and its price that a field on a phone has beside each other. */
const ROOM = 26

interface AmountFieldProps {
  payment: ReturnType<typeof usePayment>
  /** Undefined until that is known. */
  inDollars: boolean | undefined
}

function AmountField({ payment, inDollars }: AmountFieldProps) {
  const t = useText(topUpText)
  const { ways, least, text, type, amount, price, error } = payment
  const isOn = ways.length > 0
  const isBeside = text.length + price.length <= ROOM
  return (
    <div>
      <TextInput
        label={inDollars === false ? t('amountUnits') : t('amount')}
        placeholder={t('amountPlaceholder', { least })}
        inputMode="numeric"
        disabled={!isOn}
        value={text}
        error={error}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={!isBeside && price}
        rightSection={isBeside && price && <span className={styles.price}>{price}</span>}
        rightSectionWidth={isBeside && price ? price.length * 9 + 24 : undefined}
        rightSectionPointerEvents="none"
        onChange={event => type(event.currentTarget.value)}
      />
      {isOn && inDollars && (
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
  )
}
