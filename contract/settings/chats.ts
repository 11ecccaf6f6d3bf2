import * as z from 'zod/mini'
import { json, name, type Setting, SettingError } from './define.ts'

const MOST_PRESETS = 100

/** Chat applications a key can be handed to; `{key}` and `{address}` are filled in when one is opened. */
const chatPresets: Record<string, string>[] = [
  { 'ChatGPT Next Web': 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
  {
    'Lobe Chat':
      'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
  },
  { 'AMA 问天': 'ama://set-api-key?server={address}&key={key}' },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
]

/** One name to an entry, as every console of this family reads them: of several in one it would show the first. */
function eachAlone(setting: Setting<Record<string, string>[]>): Setting<Record<string, string>[]> {
  const apart = (preset: Record<string, string>) =>
    Object.entries(preset).map(([title, link]) => ({ [title]: link }))
  return { ...setting, decode: input => setting.decode(input).flatMap(apart) }
}

/** Counted as they will stand: what was stored must be taken again. */
function tooManyPresets(presets: readonly Record<string, string>[]): SettingError | undefined {
  const count = presets.reduce((sum, preset) => sum + Object.keys(preset).length, 0)
  if (count <= MOST_PRESETS) return undefined
  return new SettingError('option.value', {
    zh: `最多 ${MOST_PRESETS} 项`,
    en: `must have at most ${MOST_PRESETS} entries`,
  })
}

export const chatSettings = {
  Chats: eachAlone(
    json('operation.chat', chatPresets, {
      public: true,
      schema: z.array(z.record(name, z.string().check(z.maxLength(2000)))),
      refuse: tooManyPresets,
      label: { zh: '聊天配置', en: 'Chat presets' },
      help: {
        zh: '形如 [{"名称": "链接"}]，链接中的 {key}、{address} 与 {cherryConfig} 会被替换',
        en: 'Such as [{"name": "link"}]; {key}, {address} and {cherryConfig} in the link are filled in',
      },
    }),
  ),
}
