import * as z from 'zod/mini'
import { lineText } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { pageOf, pageQuery, searchText } from './paging.ts'

/** How a client of any dialect names a prompt of its account. */
export const promptHeader = {
  name: 'x-tollgate-prompt',
  description: {
    zh: '提示词库中的提示词名称，可带版本，如 support-reply@3；变量写在请求体的 prompt_variables 中',
    en: 'The name of one of your prompts, with a version as in support-reply@3 where another than the one in use is meant; the body has its prompt_variables',
  },
} as const

/** How OpenAI names what it keeps itself: such a prompt is its vendor's affair. */
export const VENDOR_PROMPT = 'pmpt_'
export const LONGEST_PROMPT_NAME = 64
export const promptName = /^(?!pmpt_)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Of an account. */
export const MOST_PROMPTS = 200
/** Of a prompt. */
export const MOST_PROMPT_VERSIONS = 200
/** Characters that all versions of all prompts of an account have together. */
export const MOST_PROMPT_ROOM = 4_000_000
/** Characters of one version. */
export const LARGEST_PROMPT = 100_000
export const MOST_PROMPT_MESSAGES = 50
const BODY = 512 * 1024

export const promptRoles = ['system', 'user', 'assistant'] as const
export type PromptRole = (typeof promptRoles)[number]
export const promptEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

/** PostgreSQL has no NUL in its text, and models make nothing of one. */
const text = (most: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(most),
    z.refine(given => !given.includes('\0')),
  )

const message = z.object({ role: z.enum(promptRoles), content: text(LARGEST_PROMPT) })
export type PromptMessage = z.output<typeof message>

const messages = z.array(message).check(z.minLength(1), z.maxLength(MOST_PROMPT_MESSAGES))
const within = (least: number, most: number) => z.optional(z.number().check(z.gte(least), z.lte(most)))

/** In the words of OpenAI’s chat; every dialect is told what it has a word for. */
const parameters = z.strictObject({
  temperature: within(0, 2),
  top_p: within(0, 1),
  max_tokens: z.optional(z.int().check(z.gte(1), z.lte(10_000_000))),
  frequency_penalty: within(-2, 2),
  presence_penalty: within(-2, 2),
  seed: z.optional(z.int()),
  stop: z.optional(z.array(text(100)).check(z.minLength(1), z.maxLength(4))),
  reasoning_effort: z.optional(z.enum(promptEfforts)),
})
export type PromptParameters = z.output<typeof parameters>

const content = {
  messages,
  /** Blank where callers name one. */
  model: z._default(lineText(256), ''),
  parameters: z._default(parameters, {}),
  /** What is new in it. */
  note: z._default(lineText(300), ''),
}

const name = z.string().check(z.trim(), z.regex(promptName))

/** `version` is the one in use, `newest` the last that was made; `creator` is blank where no team is concerned. */
const promptRow = {
  id: z.int(),
  name: z.string(),
  version: z.int(),
  newest: z.int(),
  model: z.string(),
  note: z.string(),
  created_at: z.int(),
  updated_at: z.int(),
  creator: z.string(),
  /** Whether who asks may change it: of a team’s, its owners and who made it. */
  editable: z.boolean(),
}
const promptView = z.object(promptRow)
export type PromptView = z.output<typeof promptView>

const versionRow = {
  version: z.int(),
  model: z.string(),
  note: z.string(),
  created_at: z.int(),
  creator: z.string(),
}

const promptDetails = z.object({ ...promptRow, versions: z.array(z.object(versionRow)) })
export type PromptDetails = z.output<typeof promptDetails>

const promptVersion = z.object({ ...versionRow, messages: z.array(message), parameters })
export type PromptVersion = z.output<typeof promptVersion>

export const promptEndpoints = {
  listPrompts: endpoint({
    method: 'GET',
    path: '/api/prompt',
    access: 'user',
    team: 'members',
    summary: { zh: '自己的提示词', en: 'Your prompts' },
    query: z.object({ ...pageQuery, keyword: searchText }),
    output: pageOf(promptView),
  }),
  getPrompt: endpoint({
    method: 'GET',
    path: '/api/prompt/:id',
    access: 'user',
    team: 'members',
    summary: { zh: '一个提示词及其各版本', en: 'One of your prompts, and which versions it has' },
    output: promptDetails,
  }),
  getPromptVersion: endpoint({
    method: 'GET',
    path: '/api/prompt/:id/version/:version',
    access: 'user',
    team: 'members',
    summary: { zh: '提示词的一个版本', en: 'A version of one of your prompts' },
    output: promptVersion,
  }),
  createPrompt: endpoint({
    method: 'POST',
    path: '/api/prompt',
    access: 'user',
    team: 'members',
    bodyLimit: BODY,
    summary: {
      zh: '创建提示词；第 1 版即为使用中的版本，文本中的 {{变量}} 由调用者给出',
      en: 'Make a prompt, with version 1 in use; callers give what its texts have as {{variable}}',
    },
    body: z.object({ name, ...content }),
    output: promptView,
  }),
  addPromptVersion: endpoint({
    method: 'POST',
    path: '/api/prompt/:id/version',
    access: 'user',
    team: 'members',
    bodyLimit: BODY,
    summary: {
      zh: '为提示词添加版本；带 use 时立即使用。版本一经保存不再改变',
      en: 'Add a version, and with use take it into use at once; a version is never changed',
    },
    body: z.object({ ...content, use: z._default(z.boolean(), false) }),
    output: promptVersion,
  }),
  updatePrompt: endpoint({
    method: 'PUT',
    path: '/api/prompt/:id',
    access: 'user',
    team: 'members',
    summary: {
      zh: '重命名提示词，或改为使用另一版本；立即对之后的调用生效',
      en: 'Rename a prompt, or take another version into use: calls get it from then on',
    },
    body: z.object({ name: z.optional(name), version: z.optional(z.int().check(z.gte(1))) }),
    output: promptView,
  }),
  deletePrompt: endpoint({
    method: 'DELETE',
    path: '/api/prompt/:id',
    access: 'user',
    team: 'members',
    summary: { zh: '删除提示词及其所有版本', en: 'Delete a prompt with all its versions' },
  }),
  deletePromptVersion: endpoint({
    method: 'DELETE',
    path: '/api/prompt/:id/version/:version',
    access: 'user',
    team: 'members',
    summary: {
      zh: '删除提示词的一个版本；使用中的版本不能删除',
      en: 'Delete a version of a prompt; not the one in use',
    },
  }),
}
