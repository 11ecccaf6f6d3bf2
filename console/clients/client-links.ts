// Programs of the reader's device that take their settings from a link, each in its own form. All ask before they keep
// what they are given.

import type { Agent } from './agent-snippets.ts'

export interface ClientLink {
  /** The program that the link opens. */
  readonly name: string
  readonly url: string
}

/** Undefined where the settings have to be copied. */
export function clientLink(
  agent: Agent,
  address: string,
  key: string,
  model: string,
): ClientLink | undefined {
  const base = address.replace(/\/+$/, '')
  if (agent === 'cherry')
    return {
      name: 'Cherry Studio',
      url: `cherrystudio://providers/api-keys?v=1&data=${cherryConfig(base, key)}`,
    }
  if (agent === 'chatbox')
    return { name: 'Chatbox', url: `chatbox://provider/import?config=${chatboxConfig(base, key, model)}` }
  // It keeps the settings of all three, and switches between them.
  if (agent === 'claude' || agent === 'codex' || agent === 'gemini')
    return { name: 'CC Switch', url: switchLink(agent, base, key, model) }
  return undefined
}

/** Also what a chat preset is given for `{cherryConfig}`. */
export function cherryConfig(base: string, key: string): string {
  const host = hostOf(base)
  return encoded({ id: host, name: host, type: 'openai', baseUrl: base, apiKey: key })
}

function chatboxConfig(base: string, key: string, model: string): string {
  const host = hostOf(base)
  return encoded({
    ...{ id: host, name: host, type: 'openai', urls: { website: base } },
    settings: {
      ...{ apiHost: base, apiPath: '/v1/chat/completions', apiKey: key },
      models: [{ modelId: model, nickname: model, type: 'chat' }],
    },
  })
}

function switchLink(app: string, base: string, key: string, model: string): string {
  const url = new URL('ccswitch://v1/import')
  const told = {
    ...{ resource: 'provider', app, name: hostOf(base), homepage: base },
    ...{ endpoint: app === 'codex' ? `${base}/v1` : base, apiKey: key, model },
  }
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value)
  return url.href
}

/** Two gateways stand side by side in a program under the names of their hosts. */
function hostOf(base: string): string {
  return URL.canParse(base) ? new URL(base).host : base
}

function encoded(config: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(config))
  return encodeURIComponent(btoa(String.fromCharCode(...bytes)))
}
