import { type FindAccountData, findIn, isAccountAddress, listOf, prefixed } from '../account-data.ts'
import { asArray, asObject, type JsonObject } from '../json.ts'

export const accountData: FindAccountData = body =>
  findInAgent(asObject(body.agent_config)) ??
  findIn(listOf(body.tools), 'tools', findInTool) ??
  findIn(listOf(body.input), 'input', findInStep)

/** What lies in the tables of the account is for its owner alone. Google takes both spellings of the name. */
function findInAgent(config: JsonObject | undefined): string | undefined {
  const name = ['enable_bigquery_tool', 'enableBigqueryTool'].find(one => config?.[one])
  return prefixed('agent_config', name)
}

/** Corpora, data stores, and others' searches that the account has subscribed to. */
function findInTool({ type, retrieval }: JsonObject): string | undefined {
  return type === 'retrieval' || retrieval ? 'type' : undefined
}

/** One content, or a step with several; what a function has answered may hold some too. */
function findInStep(step: JsonObject): string | undefined {
  if (isAccountAddress(step.uri)) return 'uri'
  return (
    findIn(asArray(step.content), 'content', findAddress) ??
    prefixed('content', findAddress(asObject(step.content) ?? {})) ??
    findIn(asArray(step.result), 'result', findAddress)
  )
}

function findAddress({ uri }: JsonObject): string | undefined {
  return isAccountAddress(uri) ? 'uri' : undefined
}
