import * as z from 'zod/mini'
import { lineText } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { pageOf, pageQuery, searchText } from './paging.ts'
import { queryNumber } from './query-number.ts'

/** How a client of any dialect names a prompt of its account. */
export const promptHeader = {
  name: 'x-tollgate-prompt',
  description: {
    zh: '提示词库中的提示词名称，可带版本或标签，如 support-reply@3、support-reply@staging；变量写在请求体的 prompt_variables 中',
    en: 'The name of one of your prompts, with a version or label as in support-reply@3 or support-reply@staging where another than the one in use is meant; the body has its prompt_variables',
  },
} as const

/** How OpenAI names what it keeps itself: such a prompt is its vendor's affair. */
export const VENDOR_PROMPT = 'pmpt_'
export const LONGEST_PROMPT_NAME = 64
export const promptName = /^(?!pmpt_)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** What is given to who names no version: the one in use, by the word that others have for it. */
export const PRODUCTION = 'production'
/** The newest that there is, without anybody having to say so. */
export const LATEST = 'latest'
/** Small letters alone: nobody is to wonder whether `Staging` is another. A number is a version. */
export const promptLabel = /^[a-z][a-z0-9._-]{0,35}$/
/** Of a prompt, besides these two. */
export const MOST_PROMPT_LABELS = 20
/** Of a prompt; of older ones nobody knows any more. */
export const MOST_PROMPT_RELEASES = 500

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

/** `latest` moves by itself. */
const label = z.string().check(
  z.regex(promptLabel),
  z.refine(given => given !== LATEST),
)
/** What a new version is released as at once. */
const labels = z._default(z.array(label).check(z.maxLength(MOST_PROMPT_LABELS)), [])
const version = z.int().check(z.gte(1))

const name = z.string().check(z.trim(), z.regex(promptName))

const labelled = z.object({ label: z.string(), version: z.int() })
export type PromptLabel = z.output<typeof labelled>

/**
 * `version` is the one in use, `newest` the last that was made; `creator` is blank where no team is concerned. The
 * first of the `labels` is `production`, the others follow by their names.
 */
const promptRow = {
  id: z.int(),
  name: z.string(),
  version: z.int(),
  newest: z.int(),
  labels: z.array(labelled),
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

/**
 * What its calls came to, all together, or for a member of a team those with tokens that they made; `last_used` is the day
 * of the last, 0 where there was none.
 */
const used = {
  requests: z.int(),
  errors: z.int(),
  quota: z.int(),
  last_used: z.int(),
}

const promptDetails = z.object({ ...promptRow, versions: z.array(z.object({ ...versionRow, ...used })) })
export type PromptDetails = z.output<typeof promptDetails>

const promptVersion = z.object({ ...versionRow, messages: z.array(message), parameters })
export type PromptVersion = z.output<typeof promptVersion>

/** A label that was moved: `from` is 0 where it stood nowhere, `to` where it was taken off. */
const promptRelease = z.object({
  id: z.int(),
  label: z.string(),
  from: z.int(),
  to: z.int(),
  created_at: z.int(),
  /** Blank where no team is concerned. */
  creator: z.string(),
})
export type PromptRelease = z.output<typeof promptRelease>

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
    body: z.object({ name, ...content, labels }),
    output: promptView,
  }),
  addPromptVersion: endpoint({
    method: 'POST',
    path: '/api/prompt/:id/version',
    access: 'user',
    team: 'members',
    bodyLimit: BODY,
    summary: {
      zh: '为提示词添加版本；带 use 时立即使用，带 labels 时移动这些标签。版本一经保存不再改变',
      en: 'Add a version, with use take it into use at once, with labels move these to it; a version is never changed',
    },
    body: z.object({ ...content, use: z._default(z.boolean(), false), labels }),
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
    body: z.object({ name: z.optional(name), version: z.optional(version) }),
    output: promptView,
  }),
  listPromptReleases: endpoint({
    method: 'GET',
    path: '/api/prompt/:id/release',
    access: 'user',
    team: 'members',
    summary: {
      zh: '提示词的发布记录：谁在何时把哪个标签从哪一版移到了哪一版，最新的在前',
      en: 'What was released of a prompt: who moved which label from which version to which, and when; newest first',
    },
    query: z.object(pageQuery),
    output: pageOf(promptRelease),
  }),
  movePromptLabel: endpoint({
    method: 'PUT',
    path: '/api/prompt/:id/label/:label',
    access: 'user',
    team: 'members',
    summary: {
      zh: '把标签移到提示词的某一版本；production 即使用中的版本。带 from 时，标签若已不在该版本（0 为不在任何版本）则拒绝',
      en: 'Move a label to a version of a prompt; production is the one in use. With from, refused if it stands there no longer (0: nowhere)',
    },
    body: z.object({ version, from: z.optional(z.int().check(z.gte(0))) }),
    output: promptView,
  }),
  removePromptLabel: endpoint({
    method: 'DELETE',
    path: '/api/prompt/:id/label/:label',
    access: 'user',
    team: 'members',
    summary: {
      zh: '从提示词取下标签；production 不能取下。带 from 时，标签若已不在该版本则拒绝',
      en: 'Take a label off a prompt; not production. With from, refused if it stands there no longer',
    },
    query: z.object({ from: queryNumber }),
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
      zh: '删除提示词的一个版本；使用中或带有标签的版本不能删除',
      en: 'Delete a version of a prompt; not the one in use, nor one with a label',
    },
  }),
}
