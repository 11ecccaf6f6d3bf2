import { type FindAccountData, findIn, isAccountAddress, prefixed } from '../account-data.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'

export const accountData: FindAccountData = ({ messages, system }) =>
  findInBlocks(system, 'system') ??
  (Array.isArray(messages)
    ? findIn(messages, 'messages', ({ content }) => findInBlocks(content, 'content'))
    : undefined)

function findInBlocks(blocks: Json | undefined, field: string): string | undefined {
  return Array.isArray(blocks) ? findIn(blocks, field, findInBlock) : undefined
}

function findInBlock(block: JsonObject): string | undefined {
  switch (block.type) {
    case 'text':
      return undefined
    case 'tool_result':
      return findInBlocks(block.content, 'content')
    default:
      return isObject(block.source) ? prefixed('source', findInSource(block.source)) : undefined
  }
}

function findInSource(source: JsonObject): string | undefined {
  if (isAccountAddress(source.url)) return 'url'
  // As Bedrock names what is in a bucket.
  if (source.s3Location) return 's3Location'
  return findInBlocks(source.content, 'content')
}
