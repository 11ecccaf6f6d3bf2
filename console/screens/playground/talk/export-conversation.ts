import type { Settings } from '../ask/settings.ts'
import { withFiles } from '../ask/text-files.ts'
import type { Answer, Conversation } from './conversation.ts'

export function asJson(turns: Conversation, settings: Settings): string {
  const messages = turns.map(({ text, pictures, pdfs = [], files = [], answers }) => ({
    role: 'user',
    content: text,
    ...(pictures.length > 0 ? { images: pictures.map(({ name, url }) => ({ name, url })) } : {}),
    ...(pdfs.length > 0 ? { pdfs } : {}),
    ...(files.length > 0 ? { files } : {}),
    answers: answersOf(answers).map(answer => ({
      role: 'assistant',
      model: answer.model,
      group: answer.group,
      state: answer.state,
      content: answer.text,
      ...(answer.reasoning ? { reasoning_content: answer.reasoning } : {}),
      ...(answer.error ? { error: answer.error.message } : {}),
      ...(answer.billed ? { quota: answer.billed.quota } : {}),
      ...(answer.usage
        ? { usage: { prompt_tokens: answer.usage.prompt, completion_tokens: answer.usage.completion } }
        : {}),
      ...(answer.requestId ? { request_id: answer.requestId } : {}),
    })),
  }))
  const { system, temperature, maxTokens, topP, effort } = settings
  const parameters = {
    temperature,
    max_tokens: maxTokens,
    ...(topP > 0 ? { top_p: topP } : {}),
    ...(effort !== '' ? { reasoning_effort: effort } : {}),
  }
  return JSON.stringify({ system, ...parameters, messages }, null, 2)
}

export function asMarkdown(turns: Conversation, settings: Settings): string {
  const system = settings.system.trim() === '' ? [] : ['## System', settings.system.trim()]
  const said = turns.flatMap(({ text, pictures, pdfs = [], files, answers }) => [
    '## User',
    [withFiles(text, files), ...[...pdfs, ...pictures].map(({ name }) => `*[${name}]*`)]
      .filter(Boolean)
      .join('\n\n'),
    ...answersOf(answers).flatMap(answer => [
      `## ${answer.model}`,
      [quoted(answer.reasoning), answer.text, answer.error ? `> ${answer.error.message}` : '']
        .filter(Boolean)
        .join('\n\n'),
    ]),
  ])
  return `${[...system, ...said].join('\n\n')}\n`
}

function answersOf(answers: Readonly<Record<number, Answer>>): Answer[] {
  return Object.values(answers)
}

function quoted(text: string): string {
  return text === '' ? '' : text.trim().replace(/^/gm, '> ')
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
