// Writes docs/providers.md: which type of channel serves what, and how. The same text is compared by a test.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChannelType, channelTypes } from '../contract/channel-types.ts'
import { plainEndpointsOf } from '../server/providers/choose-endpoint.ts'
import { type Provider, plainCapabilities } from '../server/providers/define.ts'
import { providerOf } from '../server/providers/index.ts'
import { typesWithBalance } from '../server/services/channels/balance.ts'
import { videoVendors } from '../server/tasks/videos/vendors/index.ts'

export const TABLE_FILE = join(import.meta.dir, '..', 'docs', 'providers.md')

const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
const HEAD = ['Type', 'Name', 'Chat', 'Responses', 'Anthropic', 'Gemini', 'Besides chat', 'Key', 'Balance']

/** The text of docs/providers.md. */
export function writeProviderTable(): string {
  const rows = channelTypes.map(type => rowOf(type, providerOf(type.id)))
  const retired = channelTypes.flatMap(({ name, retired: text }) => (text ? `- ${name.en}: ${text.en}.` : []))
  return [
    '# Providers',
    'Every client dialect works with every chat provider. *native*: what the vendor speaks itself passes as it is; *converted*: it is put into other words. An empty cell: the vendor has no such thing, and no request for it is sent there.',
    '',
    line(HEAD),
    line(HEAD.map(() => '-')),
    ...rows.map(line),
    '',
    '## Retired by their vendors',
    '',
    'They still work with a server that speaks them.',
    '',
    ...retired,
    '',
  ].join('\n')
}

function rowOf(type: ChannelType, provider: Provider | undefined): string[] {
  const { id, name, tasks, passes, keyForms } = type
  const films = videoVendors.some(({ channelTypes: types }) => types.includes(id))
  const besides = [
    ...(tasks && !films ? ['tasks'] : []),
    ...(passes ? ['[whatever it serves](operating/channels.md#any-http-api)'] : []),
    ...(provider
      ? plainCapabilities.filter(capability => plainEndpointsOf(provider, capability).length > 0)
      : []),
    ...(provider?.chat?.some(({ dialect }) => dialect === 'gemini-interactions')
      ? ['[interactions](calling.md#interactions-of-gemini)']
      : []),
    ...(provider?.realtime ? ['realtime'] : []),
    ...(films ? ['videos'] : []),
  ]
  return [
    String(id),
    name.en,
    ...DIALECTS.map(dialect => chatOf(provider, dialect)),
    besides.join(', '),
    (keyForms ?? []).map(({ form }) => `\`${form.replaceAll('|', '\\|')}\``).join(' or '),
    typesWithBalance.includes(id) ? 'yes' : '',
  ]
}

function chatOf(provider: Provider | undefined, dialect: (typeof DIALECTS)[number]): string {
  if (!provider?.chat) return ''
  return provider.chat.some(endpoint => endpoint.dialect === dialect) ? 'native' : 'converted'
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

if (import.meta.main) writeFileSync(TABLE_FILE, writeProviderTable())
