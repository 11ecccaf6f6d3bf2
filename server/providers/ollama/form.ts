import { dialects } from '../../dialects/index.ts'
import type { VendorForm } from '../define.ts'
import { readAnswer, readUsage } from './read-answer.ts'
import { OllamaReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

/** Ollama's own chat: objects a line, tool input as objects, sampling under `options`. */
export const ollamaForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage,
  createReader: () => new OllamaReader(),
  readProblem: dialects['openai-chat'].readProblem,
}
