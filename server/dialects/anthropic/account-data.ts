import { type FindAccountData, findIn, isAccountAddress, prefixed } from '../account-data.ts'
import { asArray, asObject, isObject, type Json, type JsonObject } from '../json.ts'

/** What the vendor's own tools made comes back as it is: it was given to whoever sends it. */
export const accountData: FindAccountData = ({ messages, system, container }) => {
  const skills = container === undefined ? [] : asArray(asObject(container)?.skills)
  return (
    prefixed('container', findIn(skills, 'skills', findSkill)) ??
    findInBlocks(system, 'system') ??
    (Array.isArray(messages)
      ? findIn(messages, 'messages', ({ content }) => findInBlocks(content, 'content'))
      : undefined)
  )
}

/** Those of the vendor are everybody's. */
function findSkill({ type, skill_id }: JsonObject): string | undefined {
  return skill_id && type !== 'anthropic' ? 'skill_id' : undefined
}

function findInBlocks(blocks: Json | undefined, field: string): string | undefined {
  return Array.isArray(blocks) ? findIn(blocks, field, findInBlock) : undefined
}

function findInBlock(block: JsonObject): string | undefined {
  switch (block.type) {
    case 'text':
      return undefined
    case 'tool_result':
      return findInBlocks(block.content, 'content')
    case 'container_upload':
      return block.file_id ? 'file_id' : undefined
    default:
      return isObject(block.source) ? prefixed('source', findInSource(block.source)) : undefined
  }
}

function findInSource(source: JsonObject): string | undefined {
  if (source.file_id) return 'file_id'
  if (isAccountAddress(source.url)) return 'url'
  // As Bedrock names what is in a bucket.
  if (source.s3Location) return 's3Location'
  return findInBlocks(source.content, 'content')
}
