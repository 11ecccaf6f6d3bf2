import { asArray } from '../../../dialects/json.ts'
import type { EditBody } from '../../define.ts'
import { isOpenaiModel } from '../families/openai-names.ts'

/**
 * Agents offer every model a search of the web beside their own tools. Where the vendor would refuse the whole request
 * for that, they go on without. Who wants nothing but the search is told what the vendor says, and so are clients who
 * wrote it in these words themselves.
 */
export function leaveOutSearch(refuses: (model: string) => boolean): EditBody {
  return ({ web_search_options, tools }, { model }, client) =>
    web_search_options === undefined || client || asArray(tools).length === 0 || !refuses(model)
      ? undefined
      : { web_search_options: undefined }
}

/** Of OpenAI's own models only those that are named after it search in chat. */
export const leaveOutOpenaiSearch = leaveOutSearch(
  model => isOpenaiModel(model) && !model.includes('-search-'),
)
