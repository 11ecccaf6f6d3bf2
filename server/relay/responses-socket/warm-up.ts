import type { JsonObject } from '../../dialects/json.ts'
import { writeUsage } from '../../dialects/openai-responses/describe-response.ts'

/** What a client is told that sends a part of a conversation ahead and wants no answer to it yet: no model is asked. */
export function writeWarmUp(id: string, settings: JsonObject, previousId: string | undefined): string[] {
  const response = {
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    instructions: null,
    metadata: {},
    temperature: null,
    top_p: null,
    ...settings,
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    error: null,
    incomplete_details: null,
    previous_response_id: previousId ?? null,
    output: [],
  }
  const nothing = writeUsage({ input: 0, output: 0 })
  return [
    eventOf('response.created', 0, { ...response, status: 'in_progress', usage: null }),
    eventOf('response.in_progress', 1, { ...response, status: 'in_progress', usage: null }),
    eventOf('response.completed', 2, { ...response, status: 'completed', usage: nothing }),
  ]
}

/** As an upstream would stream it. */
function eventOf(type: string, sequence: number, response: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, response })}\n\n`
}
