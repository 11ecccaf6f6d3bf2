import { existsSync, readFileSync } from 'node:fs'
import { providerOf } from '../../../providers/index.ts'
import type { Deployment } from './read-config.ts'
import { splitModel, types, type Vendor, vendors } from './vendors.ts'

/** Where the calls of a deployment go. */
export interface Place {
  /** LiteLLM's name for whose it is. */
  readonly vendor: string
  readonly type: number
  /** As the upstream calls it. */
  readonly model: string
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly organization: string
  readonly headers: Readonly<Record<string, string>>
}

/** Why a deployment, or a server, cannot come. */
export class CannotCome extends Error {
  override readonly name = 'CannotCome'
}

/** What `os.environ/NAME` stands for. */
export type Variable = (name: string) => string | undefined

const ENVIRONMENT = 'os.environ/'
/** For servers that ask for none; a channel has to have one. */
const NO_KEY = 'none'
const AWS_REGION = /^[a-z]{2}(-[a-z]+)+-\d$/

export function placeOf({ params }: Deployment, variable: Variable): Place {
  const text = (name: string): string => resolve(params[name], variable)
  const model = text('model')
  const [name, rest] = splitModel(model, params.custom_llm_provider) ?? []
  if (name === undefined || rest === undefined)
    throw new CannotCome(`nobody can tell whose model ${model} is`)
  const vendor = Object.hasOwn(vendors, name) ? vendors[name] : undefined
  if (!vendor) throw new CannotCome(`nothing here speaks to ${name}`)
  const place = {
    vendor: name,
    organization: text('organization'),
    headers: readHeaders(params.extra_headers ?? params.headers, variable),
  }
  // The first that is there: parameters of the file, and variables, which are in capitals.
  const given = (names: readonly string[]): string => {
    for (const each of names) {
      const value = /^[A-Z]/.test(each) ? variable(each) : text(each)
      if (value) return value
    }
    return ''
  }
  if (vendor.type === types.aws) return { ...place, ...onBedrock(rest, given) }
  if (vendor.type === types.vertex) return { ...place, ...onVertex(rest, params, given) }
  const baseUrl = given(['api_base', 'base_url', ...(vendor.type === types.azure ? ['AZURE_API_BASE'] : [])])
  const at = { ...addressOf(vendor, baseUrl || vendor.baseUrl || ''), model: rest, other: '' }
  const key = given(['api_key', ...(vendor.keyVariable ? [vendor.keyVariable] : [])])
  if (key === '' && !vendor.isOwn) throw new CannotCome(`it has no key, and ${vendor.keyVariable} is not set`)
  if (vendor.type === types.azure) return { ...place, ...onAzure(at, given), key }
  if (vendor.type === types.cloudflare) return { ...place, ...at, other: accountOf(baseUrl, given), key }
  return { ...place, ...at, key: key || NO_KEY }
}

export function resolve(value: unknown, variable: Variable): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (!text.startsWith(ENVIRONMENT)) return text
  const name = text.slice(ENVIRONMENT.length)
  const found = variable(name)
  if (found === undefined) throw new CannotCome(`the environment variable ${name} is not set`)
  return found
}

export function readHeaders(value: unknown, variable: Variable): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, header]) => {
      const text = resolve(header, variable)
      return text === '' ? [] : [[name, text]]
    }),
  )
}

/** LiteLLM puts `/chat/completions` behind whatever the address is; here that is the whole address of a custom channel. */
function addressOf(vendor: Vendor, baseUrl: string): Pick<Place, 'type' | 'baseUrl'> {
  if (vendor.isOwn && baseUrl === '') throw new CannotCome('it has no api_base')
  const isWhole = vendor.type === types.openai && providerOf(types.custom)?.isWholeAddress?.(baseUrl)
  if (!isWhole) return { type: vendor.type, baseUrl }
  return { type: types.custom, baseUrl: `${baseUrl.replace(/\/+$/, '')}/chat/completions` }
}

type Given = (names: readonly string[]) => string
type Located = Pick<Place, 'type' | 'model' | 'key' | 'baseUrl' | 'other'>

function onAzure(at: Omit<Located, 'key'>, given: Given): Omit<Located, 'key'> {
  if (at.baseUrl === '') throw new CannotCome('it has no api_base')
  const model = at.model.replace(/^(o_series|gpt5_series)\//, '')
  return { ...at, model, other: given(['api_version', 'AZURE_API_VERSION']) }
}

function accountOf(baseUrl: string, given: Given): string {
  return /\/accounts\/([^/]+)/.exec(baseUrl)?.[1] ?? given(['CLOUDFLARE_ACCOUNT_ID'])
}

function onBedrock(model: string, given: Given): Located {
  const parts = model.split('/').filter(part => part !== 'converse' && part !== 'invoke')
  const inName = parts.length > 1 && AWS_REGION.test(parts[0] ?? '') ? parts.shift() : undefined
  const name = parts.join('/')
  if (!/claude/i.test(name)) throw new CannotCome('of the models on Bedrock only Claude is served here')
  const region = given(['aws_region_name', 'AWS_REGION_NAME', 'AWS_REGION']) || inName
  if (!region) throw new CannotCome('it has no aws_region_name')
  const bearer = given(['api_key', 'AWS_BEARER_TOKEN_BEDROCK'])
  const id = given(['aws_access_key_id', 'AWS_ACCESS_KEY_ID'])
  const secret = given(['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY'])
  const session = given(['aws_session_token', 'AWS_SESSION_TOKEN'])
  const key = bearer ? [bearer, region] : [id, secret, region, ...(session ? [session] : [])]
  if (key.includes('')) throw new CannotCome('it has no aws_access_key_id and aws_secret_access_key')
  return { type: types.aws, model: name, key: key.join('|'), baseUrl: '', other: '' }
}

/** The account is a file, its text, or the same as YAML. */
function onVertex(model: string, params: Readonly<Record<string, unknown>>, given: Given): Located {
  const written = params.vertex_credentials
  const text =
    typeof written === 'object' && written !== null
      ? JSON.stringify(written)
      : given(['vertex_credentials', 'GOOGLE_APPLICATION_CREDENTIALS'])
  const key = text.startsWith('{')
    ? text
    : text !== '' && existsSync(text)
      ? readFileSync(text, 'utf8').trim()
      : ''
  if (key === '') throw new CannotCome('it has no vertex_credentials that can be read')
  const other = given(['vertex_location', 'vertex_ai_location', 'VERTEXAI_LOCATION']) || 'us-central1'
  return { type: types.vertex, model, key, baseUrl: '', other }
}
