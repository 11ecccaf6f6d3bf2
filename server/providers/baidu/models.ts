/** Those that its second API has. */
export const baiduModels = [
  'ernie-5.1',
  'ernie-5.0-thinking-preview',
  'ernie-4.5-turbo-128k',
  'ernie-3.5-8k',
  'ernie-speed-pro-128k',
] as const
