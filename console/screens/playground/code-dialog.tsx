import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  languageNames,
  languages,
  maskedKey,
  type SnippetLanguage,
  shorten,
  snippet,
} from '../../clients/request-snippets.ts'
import { loadEnabledTokens, mayCall } from '../../enabled-tokens.ts'
import { shellText } from '../../locales/catalogue.ts'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { copyText } from '../../ui/content/copy.ts'
import { NativeSelect } from '../../ui/fields/fields.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { chatBody } from './ask/request-body.ts'
import type { Settings } from './ask/settings.ts'
import styles from './code-dialog.module.css'
import { CodeBlock } from './markdown/code-block.tsx'
import { playgroundText } from './models/catalogue.ts'
import type { Conversation } from './talk/conversation.ts'

interface CodeDialogProps {
  turns: Conversation
  settings: Settings
  onClose(): void
}

const colours: Record<SnippetLanguage, string> = { curl: 'bash', python: 'python', typescript: 'typescript' }

/** The conversation as a program. The reader's key is in what is copied and never on the screen. */
export default function CodeDialog({ turns, settings, onClose }: CodeDialogProps) {
  const t = useText(playgroundText)
  const shell = useText(shellText)
  const status = useStatus()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const [model, setModel] = useState(settings.models[0] ?? '')
  const [tokenId, setTokenId] = useState('')
  const { data: enabled } = useQuery({
    queryKey: ['playground', 'tokens'],
    queryFn: ({ signal }) => loadEnabledTokens(signal),
    staleTime: 0,
    gcTime: 0,
  })
  const tokens = enabled?.filter(one => mayCall(one, model))
  const token = tokens?.find(({ id }) => String(id) === tokenId) ?? tokens?.[0]
  const asked = turns.length > 0 ? turns : [{ id: '', text: t('code.sample'), pictures: [], answers: {} }]
  const body = chatBody(asked, settings.models.indexOf(model), model, settings)
  const address = publicAddress(status?.server_address)
  const write = (key: string) => snippet(language, address, key, body)
  return (
    <Dialog opened onClose={onClose} title={t('code.title')} size={720}>
      <div className={styles.bar}>
        <fieldset className={styles.languages}>
          <legend className={styles.legend}>{shell('shell.language')}</legend>
          {languages.map(one => (
            <button key={one} type="button" aria-pressed={one === language} onClick={() => setLanguage(one)}>
              {languageNames[one]}
            </button>
          ))}
        </fieldset>
        {settings.models.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('model')}
            data={[...new Set(settings.models)]}
            value={model}
            onChange={event => setModel(event.currentTarget.value)}
          />
        )}
      </div>
      <CodeBlock language={colours[language]} text={shorten(write(maskedKey))} />
      <div className={styles.copy}>
        {token ? (
          <NativeSelect
            size="xs"
            label={t('code.token')}
            data={(tokens ?? []).map(({ id, name, key }) => ({
              value: String(id),
              label: `${name} (sk-${key.slice(0, 4)}…)`,
            }))}
            value={String(token.id)}
            onChange={event => setTokenId(event.currentTarget.value)}
          />
        ) : (
          tokens && <p className={styles.hint}>{t('code.noToken')}</p>
        )}
        <Button size="xs" onClick={() => copyText(write(token ? `sk-${token.key}` : '$API_KEY'))}>
          {token ? t('copyWithKey') : shell('action.copy')}
        </Button>
      </div>
      {token && <p className={styles.hint}>{t('keyHidden')}</p>}
    </Dialog>
  )
}
