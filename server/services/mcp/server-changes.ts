import type { Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import type { McpServerView } from '../../../contract/mcp.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { hideInAddress, restoreCredentials } from '../../outbound/credentials.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import { readToolPrices } from '../../store/mcp-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { splitList } from '../../store/split-list.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { refuseClash } from '../refuse-clash.ts'
import { readId } from '../row-id.ts'
import { columnsOf, namesIn, type McpServerRow as Row, sealHeaders, writeServer } from './write-server.ts'

type Update = CallOf<Endpoints['updateMcpServer']>

export function viewServer(row: Row): McpServerView {
  const { headers_sealed: _, header_names, group, tools, tool_prices, enabled, ...rest } = row
  return {
    ...rest,
    url: hideInAddress(rest.url),
    proxy: hideInAddress(rest.proxy),
    header_names: splitList(header_names),
    groups: splitList(group),
    tools: tools === '' ? [] : tools.split('\n'),
    tool_prices: readToolPrices(tool_prices),
    enabled: enabled === 1,
  }
}

export async function createServer(
  app: App,
  call: CallOf<Endpoints['createMcpServer']>,
): Promise<McpServerView> {
  checkGroups(app, call.body.groups)
  return refuseClash(
    app.store.change('mcp-servers', async transaction => {
      const row = await writeServer(app, transaction, withPasswords(call.body, undefined))
      const { id, headers_sealed: _, ...after } = row
      const event: AuditEvent = { action: 'mcp-server.create', subject: subjectOf(id), after }
      await recordAudit(app, call, event, transaction)
      return viewServer(row)
    }),
    'mcp.name-taken',
    { name: call.body.name },
  )
}

export async function updateServer(
  app: App,
  call: CallOf<Endpoints['updateMcpServer']>,
): Promise<McpServerView> {
  const { headers, ...fields } = call.body
  if (fields.groups) checkGroups(app, fields.groups)
  return refuseClash(
    app.store.change('mcp-servers', async transaction => {
      const before = await lockServer(app, transaction, readId(call.params))
      const set = {
        ...columnsOf(withPasswords(fields, before)),
        ...(headers && {
          header_names: namesIn(headers),
          headers_sealed: sealHeaders(app, before.id, headers),
        }),
      }
      const after = { ...before, ...set }
      if (!headers) refuseNewAddress(call, before, after)
      refuseNewWay(call, before, after, fields.url)
      const names = (Object.keys(set) as (keyof Row)[]).filter(name => before[name] !== after[name])
      if (names.length === 0) return viewServer(before)
      await transaction.updateTable('mcp_servers').set(set).where('id', '=', before.id).execute()
      const pick = (row: Row) => Object.fromEntries(names.map(name => [name, row[name]]))
      const event: AuditEvent = {
        action: 'mcp-server.update',
        subject: subjectOf(before.id),
        before: pick(before),
        after: pick(after),
      }
      await recordAudit(app, call, event, transaction)
      return viewServer(after)
    }),
    'mcp.name-taken',
    { name: fields.name ?? '' },
  )
}

export async function deleteServer(app: App, call: CallOf<Endpoints['deleteMcpServer']>): Promise<void> {
  await app.store.change('mcp-servers', async transaction => {
    const { id, name, url } = await lockServer(app, transaction, readId(call.params))
    await transaction.deleteFrom('mcp_servers').where('id', '=', id).execute()
    const event: AuditEvent = { action: 'mcp-server.delete', subject: subjectOf(id), before: { name, url } }
    await recordAudit(app, call, event, transaction)
  })
}

/** Who may not see the stored headers must not have them sent where they please either. */
function refuseNewAddress({ caller }: Update, before: Row, after: Row): void {
  if (caller.role >= roles.root || before.headers_sealed === '') return
  if (after.url !== before.url || goesAnotherWay(before, after)) throw new AppError('mcp.headers-again')
}

/** Nor a password that is in its address, by a proxy of theirs, unless they have typed it. */
function refuseNewWay({ caller }: Update, before: Row, after: Row, typed: string | undefined): void {
  if (caller.role >= roles.root || !goesAnotherWay(before, after)) return
  if (after.url !== typed && hideInAddress(after.url) !== after.url)
    throw new AppError('mcp.address-password')
}

function goesAnotherWay(before: Row, after: Row): boolean {
  return after.proxy !== '' && after.proxy !== before.proxy
}

interface Addresses {
  readonly url?: string | undefined
  readonly proxy?: string | undefined
}

/** As they are meant: passwords in them are not shown, so that a form sends them back hidden. */
function withPasswords<Given extends Addresses>(given: Given, known: Addresses | undefined): Given {
  const { url, proxy } = given
  return {
    ...given,
    ...(url && { url: orRefusal(restoreCredentials(url, known?.url ?? null)) }),
    ...(proxy && { proxy: orRefusal(restoreCredentials(proxy, known?.proxy ?? null)) }),
  }
}

function orRefusal(restored: string | undefined): string {
  if (restored === undefined) throw new AppError('mcp.address-password')
  return restored
}

function checkGroups({ settings }: App, groups: readonly string[]): void {
  const ratios = settings.get('GroupRatio')
  for (const group of groups)
    if (!Object.hasOwn(ratios, group)) throw new AppError('users.unknown-group', { group })
}

function subjectOf(id: number): string {
  return `mcp-server:${id}`
}

async function lockServer({ store }: App, transaction: Transaction<Schema>, id: number): Promise<Row> {
  const row = await transaction
    .selectFrom('mcp_servers')
    .selectAll()
    .where('id', '=', id)
    .$call(lockedOn(store.engine))
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row
}
