import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { UsableMcpServer } from '../../../contract/mcp.ts'
import { roles } from '../../../contract/users.ts'
import { formatRatio } from '../../format.ts'
import { mcpToolsQuery, usableMcpQuery } from '../../mcp/mcp-query.ts'
import { mcpAddress } from '../../mcp/mcp-snippets.ts'
import { showCallPrice, showPrices } from '../../mcp/show-price.ts'
import { ToolList } from '../../mcp/tool-list.tsx'
import { publicAddress } from '../../public-address.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { CopyLine } from '../../ui/content/copy-line.tsx'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { AgentSetup } from './agent-setup.tsx'
import { toolsText } from './catalogue.ts'
import styles from './tools.module.css'

function Tools() {
  const t = useText(toolsText)
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const { data: servers, error, refetch } = useQuery(usableMcpQuery)
  return (
    <Page title={t('title')}>
      {error && !servers ? (
        <LoadFailure error={error} retry={() => refetch()} />
      ) : !servers ? (
        <Skeleton rows={6} />
      ) : servers.length === 0 ? (
        <Empty
          title={t('none')}
          actions={
            isAdmin && (
              <Button component={Link} to="/mcp-server/add" size="xs">
                {t('add')}
              </Button>
            )
          }
        >
          {isAdmin ? t('noneLead') : t('askAdmin')}
        </Empty>
      ) : (
        <>
          <Connect />
          <AgentSetup servers={servers.map(({ name }) => name)} />
          {servers.map(server => (
            <Server key={server.name} server={server} />
          ))}
        </>
      )}
    </Page>
  )
}

function Connect() {
  const t = useText(toolsText)
  const address = mcpAddress(publicAddress(useStatus()?.server_address), '')
  return (
    <section className={styles.part} aria-labelledby="tools-connect">
      <h2 id="tools-connect">{t('connect')}</h2>
      <CopyLine text={address} />
      <p className={styles.help}>{t('connectHelp')}</p>
    </section>
  )
}

function Server({ server }: { server: UsableMcpServer }) {
  const t = useText(toolsText)
  const status = useStatus()
  const [isOpen, setOpen] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...mcpToolsQuery(server.name), enabled: isOpen })
  const { name, note, price, tool_prices, groups, group_ratio } = server
  const hasOwn = Object.keys(tool_prices).length > 0
  return (
    <section className={styles.server} aria-labelledby={`server-${name}`}>
      <div className={styles.head}>
        <h2 id={`server-${name}`}>{name}</h2>
        {groups.map(group => (
          <span key={group} className={styles.group}>
            <GroupTag name={group} />
            {(group_ratio[group] ?? 1) !== 1 && ` × ${formatRatio(group_ratio[group] ?? 1)}`}
          </span>
        ))}
        <div className={styles.end}>
          <span>
            {isOpen && data && data.length > 0 && `${t('toolCount', { count: data.length })} · `}
            {price === 0 && !hasOwn ? t('free') : `${t('price')} ${showPrices(server, status, t('free'))}`}
          </span>
          <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('hide') : t('showTools')}
          </Button>
        </div>
      </div>
      {note !== '' && <p className={styles.help}>{note}</p>}
      {isOpen && (
        <div className={styles.told}>
          {data ? (
            <ToolList
              tools={data}
              none={t('noTools')}
              price={hasOwn ? tool => showCallPrice(tool.price, status, t('free')) : undefined}
            />
          ) : error && !isFetching ? (
            <LoadFailure error={error} retry={() => refetch()} />
          ) : (
            <p role="status">{t('testing')}</p>
          )}
        </div>
      )}
    </section>
  )
}

export const screen = createLazyRoute('/tools')({ component: Tools })
