/** Fields by which gateways let a caller have other models than the one it names: what those cost, nobody here knows. */
export const otherModelFields = [
  'models',
  'fallbacks',
  'context_window_fallbacks',
  'context_window_fallback_dict',
  'content_policy_fallbacks',
  'mock_testing_fallbacks',
  'mock_testing_context_fallbacks',
  'mock_testing_content_policy_fallbacks',
  'preset',
] as const
