import type { Json, JsonObject } from '../json.ts'
import { refuseChoice, refuseNamed } from '../refuse.ts'
import type { Tool, ToolChoice } from '../spec.ts'
import {
  readList,
  readName,
  readObject,
  readOptionalObject,
  readOptionalText,
  readSchema,
} from './check-fields.ts'
import { toJsonSchema } from './gemini-schema.ts'

export function readTools(value: Json | undefined): Tool[] {
  const tools: Tool[] = []
  readList(value, 'tools').forEach((item, at) => {
    readTool(readObject(item, `tools[${at}]`), `tools[${at}]`, tools)
  })
  return tools
}

function readTool(tool: JsonObject, field: string, tools: Tool[]): void {
  for (const [kind, value] of Object.entries(tool)) {
    if (value === undefined || value === null) continue
    if (kind === 'functionDeclarations') {
      readList(value, `${field}.${kind}`).forEach((item, at) => {
        tools.push(readDeclaration(item, `${field}.${kind}[${at}]`))
      })
    } else if (kind === 'googleSearch' || kind === 'googleSearchRetrieval') {
      const settings = kind === 'googleSearch' ? readObject(value, `${field}.${kind}`) : {}
      tools.push({ type: 'web-search', settings, by: 'gemini' })
    } else refuseNamed(kind)
  }
}

function readDeclaration(value: Json, field: string): Tool {
  const declaration = readObject(value, field)
  const whole = readSchema(declaration.parametersJsonSchema, `${field}.parametersJsonSchema`)
  const subset = readOptionalObject(declaration.parameters, `${field}.parameters`)
  const description = readOptionalText(declaration.description, `${field}.description`)
  const schema = whole ?? (subset && toJsonSchema(subset, `${field}.parameters`))
  return {
    type: 'function',
    name: readName(declaration.name, `${field}.name`),
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
  }
}

export function readToolChoice(value: Json | undefined): ToolChoice | undefined {
  const field = 'toolConfig.functionCallingConfig'
  const config = readOptionalObject(readOptionalObject(value, 'toolConfig')?.functionCallingConfig, field)
  if (!config) return undefined
  const mode = readOptionalText(config.mode, `${field}.mode`)?.toUpperCase() ?? 'AUTO'
  const names = readList(config.allowedFunctionNames, `${field}.allowedFunctionNames`).map((name, at) =>
    readName(name, `${field}.allowedFunctionNames[${at}]`),
  )
  switch (mode) {
    case 'NONE':
      return { type: 'none' }
    case 'ANY':
      return names.length > 0 ? { type: 'named', names, mode: 'required' } : { type: 'required' }
    case 'AUTO':
    case 'VALIDATED':
    case 'MODE_UNSPECIFIED':
      return names.length > 0 ? { type: 'named', names, mode: 'auto' } : { type: 'auto' }
    default:
      return refuseChoice(`${field}.mode`, ['AUTO', 'ANY', 'NONE', 'VALIDATED'])
  }
}
