import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { bracketPath, fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { camelNames, snakeName } from './camel-names.ts'
import { checkContents } from './check-contents.ts'
import { checkThinkingConfig, versionOf } from './check-thinking.ts'
import { refuseGemini, refuseModel, refuseUnknown } from './fail.ts'

/** The subset of OpenAPI that `parameters` and `responseSchema` take. */
const SCHEMA: Shape = () => ({
  shape: {
    ...fields(`type format title description nullable enum maxItems minItems required minProperties maxProperties
      minLength maxLength pattern example propertyOrdering default minimum maximum`),
    properties: properties => ({
      shape: Object.fromEntries(Object.keys(properties).map(name => [name, SCHEMA])),
    }),
    items: SCHEMA,
    anyOf: [SCHEMA],
  },
})
const PART: Shape = {
  ...fields('text thought thoughtSignature videoMetadata executableCode codeExecutionResult mediaResolution'),
  inlineData: fields('mimeType data displayName'),
  fileData: fields('mimeType fileUri displayName'),
  functionCall: fields('name args id partialArgs willContinue'),
  functionResponse: fields('name response id parts willContinue scheduling'),
}
const CONTENT: Shape = { role: true, parts: [PART] }
const KNOWN: Record<string, Shape> = {
  ...fields('model cachedContent continuationToken labels serviceTier store'),
  contents: [CONTENT],
  systemInstruction: CONTENT,
  tools: [
    {
      ...fields(
        'googleSearch googleSearchRetrieval codeExecution urlContext computerUse fileSearch googleMaps',
      ),
      functionDeclarations: [
        {
          ...fields('name description behavior parametersJsonSchema responseJsonSchema'),
          parameters: SCHEMA,
          response: SCHEMA,
        },
      ],
    },
  ],
  toolConfig: {
    functionCallingConfig: fields('mode allowedFunctionNames streamFunctionCallArguments'),
    ...fields('retrievalConfig includeServerSideToolInvocations'),
  },
  safetySettings: [fields('category threshold method')],
  generationConfig: {
    ...fields(`stopSequences responseMimeType responseJsonSchema responseModalities candidateCount
      maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs
      enableEnhancedCivicAnswers speechConfig imageConfig mediaResolution`),
    thinkingConfig: fields('includeThoughts thinkingBudget thinkingLevel'),
    responseSchema: SCHEMA,
  },
}

export function checkGenerate(call: Call): void {
  const body = camelNames(call.body)
  const model = checkModel(call)
  checkUnknown(call, body, KNOWN)
  checkContents(call, body, model)
  checkTools(body)
  checkConfig(body, model)
  checkThinkingConfig(asObject(asObject(body.generationConfig)?.thinkingConfig), model)
}

/** Google's own tools beside functions: not before 3, and then only for who has said so. */
export function checkMixing(call: Call): void {
  const body = camelNames(call.body)
  const tools = asArray(body.tools).map(tool => asObject(tool) ?? {})
  const mixes =
    tools.some(tool => tool.functionDeclarations !== undefined) &&
    tools.some(tool => tool.googleSearch !== undefined)
  if (!mixes) return
  if (versionOf(call.params.model ?? '') < 3)
    refuseGemini('Tool use with function calling is unsupported by the model.')
  if (asObject(body.toolConfig)?.includeServerSideToolInvocations !== true)
    refuseGemini(
      'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
    )
}

export function checkModel(call: Call): string {
  const { model = '', version = 'v1beta' } = call.params
  const { models } = call.options
  if (models !== undefined && !models.includes(model)) refuseModel(model, version)
  return model
}

export function checkUnknown(call: Call, body: JsonObject, shape: Shape): void {
  const unknown = findUnknown(body, shape)
  const name = unknown?.at(-1)
  if (unknown === undefined || call.options.accept?.includes(String(name))) return
  const where = unknown.slice(0, -1).map(step => (typeof step === 'string' ? snakeName(step) : step))
  refuseUnknown(String(name), bracketPath(where))
}

export function checkCountTokens(call: Call): void {
  checkModel(call)
  const body = camelNames(call.body)
  checkUnknown(call, body, { contents: [CONTENT], generateContentRequest: KNOWN })
  if (body.contents === undefined && body.generateContentRequest === undefined)
    refuseGemini('contents is not specified')
}

const EMBED: Shape = { ...fields('model taskType title outputDimensionality'), content: CONTENT }

export function checkEmbed(call: Call): void {
  checkModel(call)
  const body = camelNames(call.body)
  checkUnknown(call, body, EMBED)
  checkEmbedded(body, '')
}

export function checkBatchEmbed(call: Call): void {
  const model = checkModel(call)
  const body = camelNames(call.body)
  checkUnknown(call, body, { requests: [EMBED] })
  const requests = asArray(body.requests)
  if (requests.length === 0) refuseGemini('* BatchEmbedContentsRequest.requests: requests is not specified\n')
  for (const [at, one] of requests.entries()) {
    const request = asObject(one) ?? {}
    if (request.model !== `models/${model}`)
      refuseGemini(`* BatchEmbedContentsRequest.requests[${at}].model: unexpected model name format\n`)
    checkEmbedded(request, `requests[${at}].`)
  }
}

function checkEmbedded(request: JsonObject, where: string): void {
  if (asArray(asObject(request.content)?.parts).length === 0)
    refuseGemini(`* EmbedContentRequest.${where}content: contents is not specified\n`)
}

function checkTools(body: JsonObject): void {
  const names = new Set<string>()
  for (const [at, tool] of asArray(body.tools).entries()) {
    for (const [index, one] of asArray(asObject(tool)?.functionDeclarations).entries()) {
      const declaration = asObject(one) ?? {}
      const name = asText(declaration.name) ?? ''
      const where = `GenerateContentRequest.tools[${at}].function_declarations[${index}]`
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(name))
        refuseGemini(
          `* ${where}.name: Invalid function name. Must start with a letter or an underscore. Must be alpha-numeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.\n`,
        )
      if (names.has(name)) refuseGemini(`Duplicate function declaration found: ${name}`)
      names.add(name)
      if (declaration.parameters !== undefined && declaration.parametersJsonSchema !== undefined)
        refuseGemini(`* ${where}: only one of parameters and parameters_json_schema may be set\n`)
    }
  }
  const config = asObject(asObject(body.toolConfig)?.functionCallingConfig)
  const allowed = asArray(config?.allowedFunctionNames)
  if (allowed.length > 0 && config?.mode !== 'ANY' && config?.mode !== 'VALIDATED')
    refuseGemini('Please set allowed_function_names only when function calling mode is ANY.')
  const stray = allowed.find(name => !names.has(String(name)))
  if (stray !== undefined) refuseGemini(`Function '${stray}' in allowed_function_names is not declared.`)
}

function checkConfig(body: JsonObject, model: string): void {
  const config = asObject(body.generationConfig) ?? {}
  if ((config.presencePenalty || config.frequencyPenalty) && versionOf(model) !== 2)
    refuseGemini(`Penalty is not enabled for models/${model}`)
  for (const name of ['temperature', 'topP', 'topK', 'maxOutputTokens', 'candidateCount', 'seed'])
    if (config[name] !== undefined && typeof config[name] !== 'number')
      refuseGemini(
        `Invalid value at 'generation_config.${snakeName(name)}' (TYPE_FLOAT), ${JSON.stringify(config[name])}`,
      )
  if (typeof config.temperature === 'number' && (config.temperature < 0 || config.temperature > 2))
    refuseGemini(
      '* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].\n',
    )
  if (asArray(config.stopSequences).length > 5)
    refuseGemini('* GenerateContentRequest.generation_config.stop_sequences: at most 5 stop sequences\n')
  const schema = config.responseSchema ?? config.responseJsonSchema
  if (
    schema !== undefined &&
    config.responseMimeType !== 'application/json' &&
    config.responseMimeType !== 'text/x.enum'
  )
    refuseGemini(
      "* GenerateContentRequest.generation_config.response_mime_type: response_mime_type must be 'application/json' when response_schema is set\n",
    )
}
