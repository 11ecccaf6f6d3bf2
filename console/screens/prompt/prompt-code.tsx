import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { PromptVersion, PromptView } from '../../../contract/prompts.ts'
import { promptSnippet } from '../../clients/prompt-snippets.ts'
import { languageNames, languages, maskedKey, type SnippetLanguage } from '../../clients/request-snippets.ts'
import { loadEnabledTokens, mayCall } from '../../enabled-tokens.ts'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Code } from '../../ui/content/code.tsx'
import { copyText } from '../../ui/content/copy.ts'
import { NativeSelect } from '../../ui/fields/fields.tsx'
import { promptText } from './catalogue.ts'
import styles from './prompt.module.css'

interface PromptCodeProps {
  prompt: PromptView
  version: PromptVersion
  variables: Readonly<Record<string, string>>
  model: string
  message: string
}

/** How a program calls it. The reader's key is in what is copied and never on the screen. */
export function PromptCode({ prompt, version, variables, model, message }: PromptCodeProps) {
  const t = useText(promptText)
  const status = useStatus()
  const [language, setLanguage] = useState<SnippetLanguage>('python')
  const { data: enabled } = useQuery({
    queryKey: ['prompts', 'tokens'],
    queryFn: ({ signal }) => loadEnabledTokens(signal),
    gcTime: 0,
  })
  const asked = model || version.model
  const token = enabled?.find(one => mayCall(one, asked))
  const named = model || (version.model === '' ? 'gpt-4o-mini' : '')
  const called = {
    ...(named !== '' && { model: named }),
    prompt: {
      id: prompt.name,
      // Without it, whatever is in use by then.
      ...(version.version !== prompt.version && { version: String(version.version) }),
      variables,
    },
    ...(message !== '' && { input: message }),
  }
  const write = (key: string) => promptSnippet(language, publicAddress(status?.server_address), key, called)
  return (
    <section className={styles.code} aria-labelledby="prompt-code">
      <div className={styles.bar}>
        <h3 id="prompt-code">{t('callIt')}</h3>
        <NativeSelect
          size="xs"
          aria-label={t('callIt')}
          data={languages.map(value => ({ value, label: languageNames[value] }))}
          value={language}
          onChange={event => setLanguage(event.currentTarget.value as SnippetLanguage)}
        />
      </div>
      <Code text={write(maskedKey)} />
      <Button
        size="xs"
        variant="default"
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => copyText(write(token ? `sk-${token.key}` : '$API_KEY'))}
      >
        {token ? t('copyWithKey') : t('action.copy')}
      </Button>
    </section>
  )
}
