import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { maskedKey } from '../../clients/request-snippets.ts'
import { loadEnabledTokens } from '../../enabled-tokens.ts'
import { type McpAgent, mcpAgentNames, mcpAgents, mcpSnippet } from '../../mcp/mcp-snippets.ts'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Code } from '../../ui/content/code.tsx'
import { copyText } from '../../ui/content/copy.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { FilterSelect } from '../../ui/lists/filter-bar.tsx'
import { toolsText } from './catalogue.ts'
import styles from './tools.module.css'

/** What an agent is told, to be copied with the key of one of the reader's tokens. */
export function AgentSetup({ servers }: { servers: readonly string[] }) {
  const t = useText(toolsText)
  const status = useStatus()
  const [agent, setAgent] = useState<McpAgent>('claude')
  const [server, setServer] = useState('')
  const [wanted, setWanted] = useState('')
  const { data: tokens = [], isSuccess } = useQuery({
    queryKey: ['enabled-tokens'],
    queryFn: ({ signal }) => loadEnabledTokens(signal),
  })
  const token = tokens.find(({ id }) => String(id) === wanted) ?? tokens[0]
  const write = (key: string) => mcpSnippet(agent, publicAddress(status?.server_address), key, server)
  return (
    <section className={styles.part} aria-labelledby="tools-configure">
      <h2 id="tools-configure">{t('configure')}</h2>
      <div className={styles.bar}>
        <Segments<McpAgent>
          label={t('configure')}
          value={agent}
          options={mcpAgents.map(value => ({ value, label: mcpAgentNames[value] }))}
          onChange={setAgent}
        />
        <FilterSelect
          label={t('address')}
          value={server}
          options={[
            { value: '', label: t('allServers') },
            ...servers.map(name => ({ value: name, label: name })),
          ]}
          onChange={setServer}
        />
        {tokens.length > 1 && (
          <FilterSelect
            label={t('token')}
            value={String(token?.id ?? '')}
            options={tokens.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={setWanted}
          />
        )}
        {token ? (
          <Button
            size="xs"
            className={styles.copy}
            leftSection={<Copy size={14} aria-hidden />}
            onClick={() => copyText(write(`sk-${token.key}`))}
          >
            {t('copyWithKey')}
          </Button>
        ) : (
          isSuccess && (
            <Button size="xs" className={styles.copy} component={Link} to="/token/add">
              {t('noToken')}
            </Button>
          )
        )}
      </div>
      <Code text={write(maskedKey)} />
    </section>
  )
}
