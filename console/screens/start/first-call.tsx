import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { TokenView } from '../../../contract/tokens.ts'
import {
  languageNames,
  languages,
  maskedKey,
  type SnippetLanguage,
  snippet,
} from '../../clients/request-snippets.ts'
import { mayCall } from '../../enabled-tokens.ts'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Code } from '../../ui/content/code.tsx'
import { copyText } from '../../ui/content/copy.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { FilterSelect } from '../../ui/lists/filter-bar.tsx'
import { startText } from './catalogue.ts'
import type { Progress } from './progress-query.ts'
import styles from './start.module.css'

/** The code of a first call, ready to run: the reader's own key is in what is copied, never on the screen. */
export function FirstCall({ models: offered, tokens }: Pick<Progress, 'models' | 'tokens'>) {
  const t = useText(startText)
  const status = useStatus()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const [wantedModel, setModel] = useState('')
  const [wantedToken, setToken] = useState('')
  const canChat = (one: TokenView) => offered.some(model => mayCall(one, model))
  const token = tokens.find(({ id }) => String(id) === wantedToken) ?? tokens.find(canChat) ?? tokens[0]
  const models = token ? offered.filter(model => mayCall(token, model)) : offered
  const model = models.find(name => name === wantedModel) ?? models[0] ?? 'gpt-4o-mini'
  const write = (key: string) =>
    snippet(language, publicAddress(status?.server_address), key, {
      model,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    })
  return (
    <div className={styles.call}>
      <div className={styles.bar}>
        <Segments<SnippetLanguage>
          label={t('language')}
          value={language}
          options={languages.map(value => ({ value, label: languageNames[value] }))}
          onChange={setLanguage}
        />
        {models.length > 1 && (
          <FilterSelect
            label={t('model')}
            value={model}
            options={models.map(name => ({ value: name, label: name }))}
            onChange={setModel}
          />
        )}
        {tokens.length > 1 && token && (
          <FilterSelect
            label={t('token')}
            value={String(token.id)}
            options={tokens.map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))}
            onChange={setToken}
          />
        )}
        <Button
          size="xs"
          className={styles.copy}
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => copyText(write(token ? `sk-${token.key}` : '$API_KEY'))}
        >
          {t('copyWithKey')}
        </Button>
      </div>
      <Code text={write(maskedKey)} />
      <p className={styles.hint}>
        {t('keyHidden')} {models.length > 0 && <Link to="/playground">{t('tryHere')}</Link>}
      </p>
    </div>
  )
}
