import { isObject, type JsonObject } from '../json.ts'
import type { NeutralRequest, Tool, ToolChoice } from '../spec.ts'
import { stripSchemaMark, toGeminiSchema } from './gemini-schema.ts'
import { type ModelVersion, takesJsonSchema } from './model-version.ts'
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
  return choice ? { tools, toolConfig: { functionCallingConfig: choice } } : { tools }
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
