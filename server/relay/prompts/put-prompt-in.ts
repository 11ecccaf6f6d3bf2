import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import type { ChatRoute } from '../request/match-route.ts'
import { type JsonBody, readExactly, readJson } from '../request/read-body.ts'
import { fillIn } from './fill-in.ts'
import { readReference } from './read-reference.ts'
import { writeMessages, writeParameters } from './write-in.ts'

/** What a call says besides its body, and where it is noted that a prompt was put in. */
interface Call {
  readonly request: Pick<Request, 'headers'>
  prompt?: Incoming['prompt']
}

/**
 * The body with what the prompt says that it names. Whatever looks at the body afterwards sees it as if its caller had
 * written all of it: rules, prices, the log. What the caller says of model and parameters counts before the prompt's.
 */
export async function putPromptIn(
  { prompts }: Pick<RelayParts, 'prompts'>,
  incoming: Call,
  route: ChatRoute,
  { caller }: Admitted,
  sent: JsonBody,
): Promise<JsonBody> {
  const { json } = readExactly(sent)
  const reference = readReference(route, incoming.request, json)
  if (!reference) return sent
  if (route.compact) throw new AppError('prompt.not-here')
  const { name, version, fields } = reference
  const prompt = await prompts.find(caller.userId, name, version)
  const ofTeam = caller.role === roles.team
  incoming.prompt = { id: prompt.id, name, version: prompt.version, ...(ofTeam && { ofTeam }) }
  const messages = fillIn(prompt, reference)
  const body = { ...json }
  for (const field of fields) delete body[field]
  const { dialect } = route
  const isNamed = route.model !== undefined || Boolean(body.model)
  const named = isNamed || prompt.model === '' ? body : { ...body, model: prompt.model }
  const said = writeMessages(dialect, named, messages)
  const written = writeParameters(dialect, said, prompt.parameters, incoming.request)
  return readJson(JSON.stringify(written))
}
