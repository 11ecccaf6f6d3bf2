import { channelTypeOf } from '../../../contract/channel-types.ts'
import { providerOf } from '../../providers/index.ts'

/** Where OpenTelemetry's conventions have another word than ours. */
const conventional: Readonly<Record<string, string>> = {
  aws: 'aws.bedrock',
  azure: 'azure.ai.openai',
  'github-models': 'azure.ai.inference',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  palm: 'gcp.gen_ai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
}

/** The vendor that a type of channel stands for. */
export function providerName(type: number): string {
  const id = providerOf(type)?.id
  if (id === undefined) return channelTypeOf(type)?.name.en.toLowerCase() ?? '_OTHER'
  return Object.hasOwn(conventional, id) ? (conventional[id] ?? id) : id
}
