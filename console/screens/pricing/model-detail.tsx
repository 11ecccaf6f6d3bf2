import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PricedModel } from '../../../contract/pricing.ts'
import { answersChats, writesNothing } from '../../clients/chat-models.ts'
import {
  languageNames,
  languages,
  maskedKey,
  type SnippetLanguage,
  snippet,
} from '../../clients/request-snippets.ts'
import { formatRatio } from '../../format.ts'
import { formatPrice, isPerCall, priceOf } from '../../price-of.ts'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { LedgerLine } from '../../ui/amounts/ledger-line.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { pricingText } from './catalogue.ts'
import styles from './pricing.module.css'
import { Rates } from './rates.tsx'
import { Recent } from './recent.tsx'
import { unitWords } from './unit-words.ts'

interface ModelDetailProps {
  model: PricedModel
  group: string
  groupRatio: number
  /** What a thousand uses of its vendor's tools cost, where that is not the usual; may be ''. */
  tools: string
  /** What comes on top of every call for its search, where it makes one. */
  search: number | undefined
}

/** How a charge comes about, and a call to copy. */
export function ModelDetail({ model, group, groupRatio, tools, search }: ModelDetailProps) {
  const t = useText(pricingText)
  const status = useStatus()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const { call } = priceOf(model, groupRatio)
  const writes = !writesNothing(model.model_name)
  const kinds = Object.entries(model.kind_prices ?? {})
    .map(([kind, price]) => `${kind} ${formatPrice(price * groupRatio)}`)
    .join(' · ')
  const code = snippet(language, publicAddress(status?.server_address), maskedKey, {
    model: model.model_name,
    messages: [{ role: 'user', content: 'Hello' }],
    stream_options: { include_usage: true },
    stream: true,
  })
  return (
    <div className={styles.detail}>
      {!isPerCall(model) && <Rates model={model} groupRatio={groupRatio} />}
      <section>
        <h2 className={styles.heading}>
          {call === undefined ? t(writes ? 'example' : 'exampleInput') : t('price')}
        </h2>
        {call === undefined ? (
          <LedgerLine
            prompt={1000}
            completion={writes ? 500 : 0}
            completionRatio={model.completion_ratio}
            modelRatio={model.model_ratio}
            groupRatio={groupRatio}
            quotaPerUnit={500_000}
          />
        ) : (
          <p className={styles.line}>
            {formatPrice(model.model_price)} × {formatRatio(groupRatio)} ={' '}
            {t(unitWords(model.model_name).price, { price: formatPrice(call) })}
          </p>
        )}
        {kinds !== '' && <p className={styles.muted}>{t('kinds', { prices: kinds })}</p>}
        {search !== undefined && (
          <p className={styles.muted}>{t('alwaysSearches', { price: formatPrice(search) })}</p>
        )}
        {tools !== '' && <p className={styles.muted}>{t('tools', { prices: tools })}</p>}
      </section>
      {model.recent !== undefined && <Recent recent={model.recent} />}
      {!isPerCall(model) && answersChats(model.model_name) && (
        <section>
          <div className={styles.tabs}>
            <h2 className={styles.heading}>{t('sample')}</h2>
            {languages.map(one => (
              <button
                key={one}
                type="button"
                className={styles.tab}
                aria-pressed={one === language}
                onClick={() => setLanguage(one)}
              >
                {languageNames[one]}
              </button>
            ))}
            <CopyButton text={code} label={t('copySample')} />
            {model.enable_groups.includes(group) && (
              <Link className={styles.try} to="/playground" search={{ model: model.model_name, group }}>
                {t('try')}
              </Link>
            )}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <pre className={styles.code} tabIndex={0}>
            {code}
          </pre>
        </section>
      )}
    </div>
  )
}
