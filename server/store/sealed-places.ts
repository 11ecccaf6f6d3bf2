import type { Place } from './cipher.ts'

// What is sealed in one room and opened in another: both must name the same place.

export function channelKeyPlace(id: number): Place {
  return { table: 'channels', column: 'key_sealed', row: id }
}

export function tokenKeyPlace(id: number): Place {
  return { table: 'tokens', column: 'key_sealed', row: id }
}

/** Not in the database: another version of what is written there is another place. */
export function keptAnswerPlace(name: string): Place {
  return { table: 'redis', column: 'answer 1', row: name }
}

export function likeQuestionPlace(bucket: string): Place {
  return { table: 'redis', column: 'like question 1', row: bucket }
}

export function logContentPlace(requestId: string): Place {
  return { table: 'log_contents', column: 'content_sealed', row: requestId }
}

export function noticeWayPlace(userId: number): Place {
  return { table: 'user_notices', column: 'way_sealed', row: userId }
}

export function mcpHeadersPlace(id: number): Place {
  return { table: 'mcp_servers', column: 'headers_sealed', row: id }
}

/** Not in the database: clients bring it. It opens for the token alone that it was given to. */
export function mcpSessionPlace(tokenId: number): Place {
  return { table: 'mcp-session', column: 'id 1', row: tokenId }
}

export function geminiUploadPlace(id: string): Place {
  return { table: 'gemini_files', column: 'upload_sealed', row: id }
}

export function geminiRequestsPlace(id: string): Place {
  return { table: 'gemini_files', column: 'requests', row: id }
}
