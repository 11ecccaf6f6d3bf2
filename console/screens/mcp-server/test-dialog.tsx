import { useQuery } from '@tanstack/react-query'
import { type McpServerView, mcpEndpoints } from '../../../contract/mcp.ts'
import { call } from '../../api.ts'
import { showCallPrice } from '../../mcp/show-price.ts'
import { ToolList } from '../../mcp/tool-list.tsx'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { mcpText } from './catalogue.ts'
import styles from './mcp-server.module.css'

/** Connects while it is opened, and shows what the server says. */
export function TestDialog({ server, close }: { server: McpServerView; close(): void }) {
  const t = useText(mcpText)
  const status = useStatus()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['mcp-test', server.id],
    queryFn: ({ signal }) => call(mcpEndpoints.testMcpServer, { params: { id: server.id }, signal }),
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog opened onClose={close} title={`${t('test')} · ${server.name}`} size={640}>
      {isFetching ? (
        <p role="status">{t('testing')}</p>
      ) : error ? (
        <LoadFailure error={error} retry={() => refetch()} />
      ) : data ? (
        <>
          <p className={styles.told} role="status">
            {t('tested', {
              title: data.title || server.name,
              version: data.version,
              time: data.time,
              count: data.tools.length,
            })}
          </p>
          <ToolList
            tools={data.tools}
            none={t('noTools')}
            price={
              Object.keys(server.tool_prices).length > 0
                ? tool => showCallPrice(tool.price, status, t('free'))
                : undefined
            }
          />
        </>
      ) : null}
    </Dialog>
  )
}
