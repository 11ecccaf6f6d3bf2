import type { ChatEndpoint, Destination } from '../../define.ts'
import { standardEndpoints } from '../../standard-endpoints.ts'
import { endsInVersion } from '../url.ts'
import { chatOfOpenai } from './openai-family.ts'

/** A gateway in front of many vendors, where every client is understood: nothing is put into other words here. */
export const gatewayChat: readonly ChatEndpoint[] = [
  chatOfOpenai(),
  standardEndpoints['openai-responses'],
  standardEndpoints.anthropic,
  { ...standardEndpoints.gemini, path: fromRoot(standardEndpoints.gemini.path) },
]

/** Google's version is another than everybody's, which the operator may have put at the end of the base URL. */
function fromRoot(path: ChatEndpoint['path']): ChatEndpoint['path'] {
  return (to: Destination) => {
    const { baseUrl } = to
    return endsInVersion(baseUrl) ? baseUrl.slice(0, baseUrl.lastIndexOf('/')) + path(to) : path(to)
  }
}
