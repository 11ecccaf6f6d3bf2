import type { Language } from '../../contract/language.ts'
import { escapeHtml } from '../services/escape-html.ts'
import { openApiDocument } from './openapi.ts'
import { newNonce, pagePolicy } from './security-headers.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | false
  items?: Schema
  required?: string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
}
interface Refusal {
  description: string
  content: Record<string, { example?: unknown }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Refusal> }
}
interface Operation {
  tags: string[]
  summary: string
  'x-access': 'public' | 'user' | 'admin' | 'root' | 'token'
  'x-session-only'?: true
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: { 200?: { content?: Record<string, { schema: Schema }> } }
}

const words = {
  zh: {
    title: 'Tollgate 接口文档',
    lead: '所有回答都是 { success, message, data }；业务失败时 success 为 false。登录后用会话 Cookie 并在 New-Api-User 头中放自己的用户 ID，或在 Authorization 头中放系统访问令牌。模型调用用 API 令牌，请求与回答的形式见各厂商文档。机器可读版本：',
    access: { public: '公开', user: '登录用户', admin: '管理员', root: '超级管理员', token: 'API 令牌' },
    sessionOnly: '登录会话',
    parameters: '参数',
    send: '发送',
    example: '示例',
    receive: '返回',
    parts: '分类',
    refusals: '被拒绝时',
    refused: '管理调用：',
    modelRefused: '模型调用（按客户端自己的协议返回）：',
  },
  en: {
    title: 'Tollgate API',
    lead: 'Every answer is { success, message, data }; success is false when the call failed. Log in for a session cookie and send your user id as New-Api-User, or put your system access token in the Authorization header. Model calls take an API token and speak the vendors’ own forms. For machines: ',
    access: { public: 'public', user: 'logged in', admin: 'admin', root: 'super admin', token: 'API token' },
    sessionOnly: 'session only',
    parameters: 'Parameters',
    send: 'Send',
    example: 'For example',
    receive: 'Receive',
    parts: 'Parts',
    refusals: 'When something is refused',
    refused: 'Management calls. ',
    modelRefused: 'Model calls, each in its client’s own dialect. ',
  },
} as const

const style = `
:root{color-scheme:light dark;--ink:light-dark(#14171c,#e8eaee);--muted:light-dark(#59616e,#9aa3b0);--line:light-dark(#e3e6eb,#2a2f38);--page:light-dark(#f7f8fa,#0e1014);--panel:light-dark(#fff,#15181e);--accent:light-dark(#5648d8,#a9a0ff)}
body{margin:0;background:var(--page);color:var(--ink);font:14px/20px system-ui,"PingFang SC","Microsoft YaHei UI","Noto Sans SC",sans-serif}
main{max-width:880px;margin:0 auto;padding:32px 16px 64px}h1{font-size:28px;line-height:36px;margin:0 0 8px}h1 small{font-size:16px;font-weight:400;color:var(--muted)}h2{font-size:16px;line-height:24px;margin:32px 0 8px}
p{color:var(--muted);margin:0 0 16px;max-width:70ch}a{color:var(--accent)}
details{background:var(--panel);border:1px solid var(--line);border-radius:10px;margin:8px 0}summary{display:flex;gap:12px;align-items:baseline;padding:10px 16px;cursor:pointer;flex-wrap:wrap}
summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:10px}
code,pre{font:13px/20px ui-monospace,"SF Mono",Menlo,Consolas,monospace}summary code{overflow-wrap:anywhere}.method{width:52px;font-weight:600}.what{color:var(--muted);flex:1}.access{color:var(--muted)}
.body{border-top:1px solid var(--line);padding:12px 16px}h3{font-size:13px;line-height:20px;margin:0 0 4px;font-weight:600}pre{margin:0 0 12px;white-space:pre-wrap;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 8px}nav small{color:var(--muted);margin-left:-12px}
@media(max-width:600px){.what{flex-basis:100%}}`

/** The endpoint table for people: one foldable row a call, no script. */
export function docsPage(language: Language, version: string): Response {
  const text = words[language]
  const { paths, components } = openApiDocument(language, version) as unknown as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = [...Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')]
  const links = groups.map(
    ([group, rows], at) => `<a href="#part-${at}">${escapeHtml(group)}</a> <small>${rows.length}</small>`,
  )
  const sections = groups.map(
    ([group, rows], at) =>
      `<h2 id="part-${at}">${escapeHtml(group)}</h2>${rows.map(({ method, path, operation }) => row(method, path, operation)).join('')}`,
  )
  function row(method: string, path: string, operation: Operation): string {
    const input = operation.requestBody?.content['application/json']
    const output = operation.responses[200]?.content?.['application/json']?.schema
    const names = operation.parameters.map(parameter => `${parameter.name}${parameter.required ? '' : '?'}`)
    const parts = [
      names.length > 0 ? `<h3>${text.parameters}</h3><pre>${escapeHtml(names.join(', '))}</pre>` : '',
      input ? `<h3>${text.send}</h3><pre>${escapeHtml(outline(input.schema))}</pre>` : '',
      input?.example ? `<h3>${text.example}</h3><pre>${escapeHtml(JSON.stringify(input.example))}</pre>` : '',
      output ? `<h3>${text.receive}</h3><pre>${escapeHtml(outline(output))}</pre>` : '',
    ].join('')
    const access = operation['x-session-only'] ? text.sessionOnly : text.access[operation['x-access']]
    const head = `<code class="method">${method.toUpperCase()}</code><code>${escapeHtml(path)}</code><span class="what">${escapeHtml(
      operation.summary,
    )}</span><span class="access">${access}</span>`
    return `<details><summary>${head}</summary>${parts && `<div class="body">${parts}</div>`}</details>`
  }
  const nonce = newNonce()
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text.title}</title><style nonce="${nonce}">${style}</style></head><body><main><h1>${text.title} <small>v${version}</small></h1><p>${text.lead}<a href="/api/openapi.json">/api/openapi.json</a></p><nav aria-label="${text.parts}">${links.join('')}</nav>${describeRefusals(components.responses, text)}${sections.join('')}</main></body></html>`
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy(nonce),
    },
  })
}

function describeRefusals(
  { failure, openaiRefusal, ...others }: Record<string, Refusal>,
  text: (typeof words)[Language],
): string {
  const examples = [openaiRefusal, ...Object.values(others)].flatMap(
    refusal => refusal?.content['application/json']?.example ?? [],
  )
  return [
    `<h2>${text.refusals}</h2>`,
    `<p>${text.refused}${escapeHtml(failure?.description ?? '')}</p>`,
    `<p>${text.modelRefused}${escapeHtml(openaiRefusal?.description ?? '')}</p>`,
    `<pre>${examples.map(example => escapeHtml(JSON.stringify(example))).join('\n')}</pre>`,
  ].join('')
}

function outline(schema: Schema, depth = 0): string {
  const pad = '  '.repeat(depth + 1)
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const mark = schema.required?.includes(name) ? '' : '?'
      return `${pad}${name}${mark}: ${outline(field, depth + 1)}`
    })
    return `{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`
  }
  if (schema.items) return `[ ${outline(schema.items, depth)} ]`
  if (schema.anyOf) return schema.anyOf.map(one => outline(one, depth)).join(' | ')
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.additionalProperties) return `{ …: ${outline(schema.additionalProperties, depth)} }`
  return [schema.type ?? 'any'].flat().join(' | ')
}
