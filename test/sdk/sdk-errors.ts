import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI from 'openai'

/** The error that a call ends with; one that does not fail fails the test. */
export async function catchError(asking: Promise<unknown>): Promise<Error> {
  try {
    await asking
  } catch (error) {
    if (error instanceof Error) return error
    throw new Error(`not an error: ${String(error)}`)
  }
  throw new Error('the call went well')
}

/** As the SDK's own class of error tells it; undefined when the error is not of the SDK. */
export function statusOf(error: Error): number | undefined {
  const known =
    error instanceof OpenAI.APIError || error instanceof Anthropic.APIError || error instanceof ApiError
  return known ? error.status : undefined
}
