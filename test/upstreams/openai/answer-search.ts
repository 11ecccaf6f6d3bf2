import { asArray, asObject, asText } from '../../../server/dialects/json.ts'
import { fields } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { checkModel } from './check-fields.ts'
import { refuseOpenai } from './fail.ts'

const SEARCH = fields('id model reasoning input commands settings max_output_tokens')
const COMMANDS = fields(
  'search_query image_query open click find screenshot finance weather sports time response_length',
)

export function checkSearch(call: Call): void {
  const { body } = call
  const commands = asObject(body.commands) ?? {}
  const unknown = [
    ...Object.keys(body).filter(name => !(name in SEARCH)),
    ...Object.keys(commands).filter(name => !(name in COMMANDS)),
  ][0]
  if (unknown !== undefined) refuseOpenai(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  checkModel(call)
  if (!asText(body.id)) refuseOpenai("Missing required parameter: 'id'.", 'id', 'missing_required_parameter')
  for (const query of asArray(commands.search_query))
    if (!asText(asObject(query)?.q)) refuseOpenai('q must not be empty', 'commands.search_query')
}

/** Tells what it was asked, and nothing of what that used. */
export function answerSearch({ body }: Call): Rendered {
  const asked = asArray(asObject(body.commands)?.search_query).map(query => asText(asObject(query)?.q))
  const answer = { output: `You searched: ${asked.join(', ')}`, encrypted_output: 'gAAAA-sealed' }
  return { contentType: 'application/json', body: JSON.stringify(answer), tally: NO_TALLY }
}
