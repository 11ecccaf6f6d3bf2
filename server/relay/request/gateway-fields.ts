import { otherModelFields } from '../../../contract/other-models.ts'

/**
 * What upstreams that are gateways themselves heed, and no vendor: which models they may turn to, how often, and at
 * whose address with whose key. What is read of it here is not meant for them, and the rest is not a caller's to say.
 */
export const gatewayFields: ReadonlySet<string> = new Set([
  ...otherModelFields,
  ...['disable_fallbacks', 'num_retries', 'route', 'specific_deployment'],
  ...['api_base', 'base_url', 'api_key', 'custom_llm_provider', 'litellm_credential_name', 'user_config'],
])
