import { isObject, type JsonObject } from '../json.ts'
import { refuseNamed } from '../refuse.ts'
import type { NeutralRequest, Tool, ToolChoice } from '../spec.ts'
import { stripSchemaMark, toGeminiSchema } from './gemini-schema.ts'
import { type ModelVersion, mixesTools, takesJsonSchema } from './model-version.ts'
import { checkToolName } from './tool-names.ts'

type FunctionTool = Extract<Tool, { type: 'function' }>

/** Gemini cannot be kept from calling several tools at once: that wish is dropped. */
export function writeTools(request: NeutralRequest, version: ModelVersion): JsonObject {
  const functions = request.tools.filter(tool => tool.type === 'function')
  const search = request.tools.find(tool => tool.type === 'web-search')
  const tools: JsonObject[] = []
  if (functions.length > 0)
    tools.push({
      functionDeclarations: functions.map((tool, at) => writeDeclaration(tool, `tools[${at}]`, version)),
    })
  if (search) tools.push({ googleSearch: search.by === 'gemini' ? search.settings : {} })
  if (tools.length === 0) return {}
  const choice = functions.length > 0 ? writeToolChoice(request.toolChoice) : undefined
  const toolConfig: JsonObject = choice ? { functionCallingConfig: choice } : {}
  if (search && functions.length > 0) {
    if (mixesTools(version)) Object.assign(toolConfig, mixTools(choice))
    // Who speaks this dialect knows what the model takes.
    else if (search.by !== 'gemini') refuseNamed('web_search')
  }
  return Object.keys(toolConfig).length > 0 ? { tools, toolConfig } : { tools }
}

/** Without the flag both kinds together are a 400; what it shows of the searches is passed over by the readers. */
function mixTools(choice: JsonObject | undefined): JsonObject {
  const isAuto = choice?.mode === 'AUTO'
  return {
    includeServerSideToolInvocations: true,
    ...(isAuto && { functionCallingConfig: { mode: 'VALIDATED' } }),
  }
}

function writeDeclaration(tool: FunctionTool, field: string, version: ModelVersion): JsonObject {
  const declaration: JsonObject = { name: checkToolName(tool.name, `${field}.name`) }
  if (tool.description !== undefined) declaration.description = tool.description
  if (!tool.schema) return declaration
  if (takesJsonSchema(version)) declaration.parametersJsonSchema = stripSchemaMark(tool.schema)
  else if (hasFields(tool.schema)) declaration.parameters = toGeminiSchema(tool.schema, `${field}.parameters`)
  return declaration
}

/** The subset refuses an object without properties. */
function hasFields(schema: JsonObject): boolean {
  return isObject(schema.properties) && Object.keys(schema.properties).length > 0
}

function writeToolChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined
    case 'auto':
      return { mode: 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'named':
      return {
        mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED',
        allowedFunctionNames: [...choice.names],
      }
  }
}
