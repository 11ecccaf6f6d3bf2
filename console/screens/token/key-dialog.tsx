import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Copy, SquareArrowOutUpRight } from 'lucide-react'
import { useState } from 'react'
import { accountEndpoints } from '../../../contract/accounts.ts'
import type { TokenView } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { type Agent, agentNames, agentSnippet, agents } from '../../clients/agent-snippets.ts'
import { answersChats, isSmall } from '../../clients/chat-models.ts'
import { clientLink } from '../../clients/client-links.ts'
import { maskedKey } from '../../clients/request-snippets.ts'
import { mayCall } from '../../enabled-tokens.ts'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Code } from '../../ui/content/code.tsx'
import { copyText } from '../../ui/content/copy.ts'
import { CopyLine } from '../../ui/content/copy-line.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { FilterSelect } from '../../ui/lists/filter-bar.tsx'
import { tokenText } from './catalogue.ts'
import styles from './key-dialog.module.css'

/** The key, and how the programs are told of it that people use it in. */
export default function KeyDialog({ token, close }: { token: TokenView; close(): void }) {
  const t = useText(tokenText)
  return (
    <Dialog opened onClose={close} title={t('keyOf', { name: token.name })} size={640}>
      {token.key === '' ? (
        t('keyUnknown')
      ) : (
        <>
          <CopyLine text={`sk-${token.key}`} label={t('copyKey')} />
          <UseIt token={token} />
        </>
      )}
    </Dialog>
  )
}

function UseIt({ token }: { token: TokenView }) {
  const t = useText(tokenText)
  const status = useStatus()
  const [agent, setAgent] = useState<Agent>('claude')
  const [wanted, setWanted] = useState('')
  const { data = [] } = useQuery({
    queryKey: ['usable-models', 'chat'],
    queryFn: ({ signal }) => call(accountEndpoints.usableModels, { query: { kind: 'chat' }, signal }),
    staleTime: 60_000,
  })
  const models = data.filter(name => answersChats(name) && mayCall(token, name))
  const model = models.find(name => name === wanted) ?? usual(agent, models) ?? 'gpt-4o-mini'
  const address = publicAddress(status?.server_address)
  const write = (key: string) => agentSnippet(agent, address, key, model)
  const link = clientLink(agent, address, `sk-${token.key}`, model)
  return (
    <section className={styles.use} aria-labelledby="use-it">
      <h3 id="use-it">{t('useIn')}</h3>
      <div className={styles.bar}>
        <FilterSelect
          label={t('useIn')}
          value={agent}
          options={agents.map(value => ({ value, label: agentNames[value] }))}
          onChange={value => setAgent(value as Agent)}
        />
        <FilterSelect
          label={t('model')}
          value={model}
          options={(models.length > 0 ? models : [model]).map(name => ({ value: name, label: name }))}
          onChange={setWanted}
        />
      </div>
      <Code text={write(maskedKey)} lines={10} />
      <div className={styles.bar}>
        <Button
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => copyText(write(`sk-${token.key}`))}
        >
          {t('copyWithKey')}
        </Button>
        {link && (
          <Button
            variant="default"
            leftSection={<SquareArrowOutUpRight size={14} aria-hidden />}
            onClick={() => window.open(link.url, '_blank', 'noopener')}
          >
            {t('openIn', { name: link.name })}
          </Button>
        )}
      </div>
    </section>
  )
}

const own: Partial<Record<Agent, RegExp>> = { claude: /claude/, codex: /codex|gpt/, gemini: /gemini/ }
/** What somebody begins with who has the choice, rather than whatever the alphabet has first. */
const common = /^(gpt|claude|gemini|deepseek|qwen|glm|kimi|doubao)/

/** Each is at home with the models of its maker, the large ones first, and takes any other where there are none. */
function usual(agent: Agent, models: readonly string[]): string | undefined {
  const known = models.filter(name => (own[agent] ?? common).test(name))
  return known.find(name => !isSmall(name)) ?? known[0] ?? models[0]
}
