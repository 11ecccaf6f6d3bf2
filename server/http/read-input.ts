import type * as z from 'zod/mini'
import { type Endpoint, nothing } from '../../contract/endpoint.ts'
import type { Language } from '../../contract/language.ts'
import { AppError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import { explainIssue } from './explain-issue.ts'
import { readForm, readJson, readText } from './read-body.ts'

/** What a call sends, as its schemas have it: fields they do not name are gone from here on. */
export async function readInput(
  endpoint: Endpoint,
  { request, language }: Pick<Exchange, 'request' | 'language'>,
  search: string,
): Promise<{ query: unknown; body: unknown }> {
  // In the path or behind it: nothing of ours has one in its name.
  if (request.url.includes('%00')) throw new AppError('request.invalid')
  const query =
    endpoint.query === nothing
      ? undefined
      : check(endpoint.query, Object.fromEntries(new URLSearchParams(search)), language)
  if (endpoint.form)
    return {
      query,
      body: check(endpoint.body, await readForm(request, search, endpoint.bodyLimit), language),
    }
  if (endpoint.signedBy) return { query, body: await readText(request, endpoint.bodyLimit) }
  if (endpoint.bodyLimit === 0) return { query, body: undefined }
  const json = await readJson(request, endpoint.bodyLimit)
  return { query, body: check(endpoint.body, dropNulls(json ?? {}), language) }
}

function check(schema: z.ZodMiniType, value: unknown, language: Language): unknown {
  const result = schema.safeParse(value, { error: explainIssue[language] })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new AppError('request.field', {
    detail: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? ''}`,
  })
}

/** Older clients send null for "not given". */
function dropNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
