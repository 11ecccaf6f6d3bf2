import type { ChatEndpoint, Destination, EditBody, Endpoint, PlainEndpoint } from '../../define.ts'
import { developerToSystem } from '../edits/developer-to-system.ts'
import { editBody } from '../edits/edit-body.ts'
import { fitEffort, openWord } from '../edits/fit-effort.ts'
import { leaveOutOpenaiSearch } from '../edits/leave-out-search.ts'
import { leaveOutThoughts } from '../edits/leave-out-thoughts.ts'
import { leaveOutUnproven } from '../edits/leave-out-unproven.ts'
import { narrowTools } from '../edits/narrow-tools.ts'
import {
  hidesThoughts,
  reasoningModelLimits,
  reasoningResponseLimits,
  takesStops,
} from '../edits/reasoning-model-limits.ts'

export type Path = string | Endpoint['path']

interface ChatOptions
  extends Pick<
    ChatEndpoint,
    | 'takesStops'
    | 'hidesThoughts'
    | 'rewordsAnswers'
    | 'searches'
    | 'searchesUntold'
    | 'insists'
    | 'worksInBackground'
    | 'keeps'
  > {
  readonly path?: Path | undefined
  readonly asksForUsage?: boolean
  /** Replaces the edit that every vendor but OpenAI and Azure needs. */
  readonly edit?: EditBody
  readonly vendorOnly?: boolean
  readonly readProblem?: Endpoint['readProblem']
}

const fitAlike = editBody(developerToSystem, narrowTools, fitEffort(openWord), leaveOutOpenaiSearch)

export function openaiChat(options: ChatOptions = {}): ChatEndpoint {
  return {
    dialect: 'openai-chat',
    path: pathOf(options.path ?? '/v1/chat/completions'),
    asksForUsage: options.asksForUsage,
    edit: options.edit ?? fitAlike,
    inlinesMedia: 'files',
    vendorOnly: options.vendorOnly,
    readProblem: options.readProblem,
    takesStops: options.takesStops,
    hidesThoughts: options.hidesThoughts,
    rewordsAnswers: options.rewordsAnswers,
    searchesUntold: options.searchesUntold,
  }
}

/** Where OpenAI's own models are, and others may be beside them. `search` leaves out a search that would be refused. */
export function chatOfOpenai(path?: Path, search: EditBody = leaveOutOpenaiSearch): ChatEndpoint {
  const edit = editBody(reasoningModelLimits, leaveOutThoughts, search)
  return openaiChat({ path, asksForUsage: true, edit, takesStops, hidesThoughts })
}

const fitResponses = editBody(leaveOutUnproven, reasoningResponseLimits)

export function openaiResponses(
  options: Pick<
    ChatOptions,
    'path' | 'vendorOnly' | 'searches' | 'insists' | 'worksInBackground' | 'keeps'
  > = {},
): ChatEndpoint {
  return {
    dialect: 'openai-responses',
    path: pathOf(options.path ?? '/v1/responses'),
    edit: fitResponses,
    vendorOnly: options.vendorOnly,
    searches: options.searches,
    insists: options.insists,
    worksInBackground: options.worksInBackground,
    keeps: options.keeps,
  }
}

export function plain(
  form: PlainEndpoint['form'],
  path: Path,
  edits: Pick<PlainEndpoint, 'edit' | 'editAnswer' | 'readProblem'> = {},
): PlainEndpoint {
  return { form, path: pathOf(path), ...edits }
}

/** Everything that is not chat, where OpenAI has it; rerank where servers of its shape have it. */
export const openaiCapabilities = {
  completions: plain('openai', '/v1/completions'),
  embeddings: plain('openai', '/v1/embeddings'),
  rerank: plain('openai', '/v1/rerank'),
  moderations: plain('openai', '/v1/moderations'),
  images: plain('openai', '/v1/images/generations'),
  'image-edits': plain('openai', '/v1/images/edits'),
  speech: plain('openai', '/v1/audio/speech'),
  transcriptions: plain('openai', '/v1/audio/transcriptions'),
  translations: plain('openai', '/v1/audio/translations'),
} as const

/** As the Codex CLI searches the web beside a conversation. Servers of OpenAI's shape do not have it. */
export const openaiSearch = plain('openai', '/v1/alpha/search')

/** Documents in Mistral's words and searches in Perplexity's, where gateways have them. Some call a model a tool there. */
export const gatewayCapabilities = {
  ocr: plain('openai', '/v1/ocr'),
  'web-search': plain('openai', '/v1/search', { edit: (_body, { model }) => ({ search_tool_name: model }) }),
} as const

export const openaiRealtime: Endpoint = {
  path: (to: Destination) => `/v1/realtime?model=${encodeURIComponent(to.model.toWellFormed())}`,
}

function pathOf(path: Path): Endpoint['path'] {
  return typeof path === 'string' ? () => path : path
}
