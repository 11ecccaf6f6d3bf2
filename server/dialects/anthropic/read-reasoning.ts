import type { JsonObject } from '../json.ts'
import { refuseChoice } from '../refuse.ts'
import type { Effort, Format, Reasoning } from '../spec.ts'
import { readObject, readOptionalObject, readOptionalText, readWhole } from './read-fields.ts'

export function readReasoning(body: JsonObject): Reasoning | undefined {
  const thinking = readOptionalObject(body, 'thinking', '')
  const effort = readEffort(body)
  if (thinking === undefined) return effort === undefined ? undefined : { effort }
  const visible = thinking.display !== 'omitted'
  switch (thinking.type) {
    case 'enabled':
      return { effort, budget: readWhole(thinking, 'budget_tokens', 1024, 'thinking.'), visible }
    case 'adaptive':
      return { effort, budget: -1, visible }
    case 'disabled':
    case 'between_tools':
      return { effort, budget: 0 }
    default:
      refuseChoice('thinking.type', ['enabled', 'disabled', 'adaptive', 'between_tools'])
  }
}

export function readFormat(body: JsonObject): Format | undefined {
  const config = readOptionalObject(body, 'output_config', '')
  const format = config && readOptionalObject(config, 'format', 'output_config.')
  if (format) return readSchema(format, 'output_config.format.')
  // Its older name, which SDKs still have.
  const older = readOptionalObject(body, 'output_format', '')
  return older && readSchema(older, 'output_format.')
}

function readSchema(format: JsonObject, at: string): Format {
  if (format.type !== 'json_schema') refuseChoice(`${at}type`, ['json_schema'])
  return { type: 'schema', name: 'answer', schema: readObject(format, 'schema', at), strict: true }
}

function readEffort(body: JsonObject): Effort | undefined {
  const config = readOptionalObject(body, 'output_config', '')
  const effort = config === undefined ? undefined : readOptionalText(config, 'effort', 'output_config.')
  switch (effort) {
    case undefined:
    case 'low':
    case 'medium':
    case 'high':
    case 'xhigh':
    case 'max':
      return effort
    default:
      refuseChoice('output_config.effort', ['low', 'medium', 'high', 'xhigh', 'max'])
  }
}
