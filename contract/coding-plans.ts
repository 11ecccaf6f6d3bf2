/**
 * Plans for coding have addresses of their own. The tools of this family take a name in place of such a base URL;
 * it becomes the address where OpenAI's dialect is spoken.
 */
export const codingPlans: ReadonlyMap<string, string> = new Map([
  ['glm-coding-plan', 'https://open.bigmodel.cn/api/coding/paas/v4'],
  ['glm-coding-plan-international', 'https://api.z.ai/api/coding/paas/v4'],
  ['kimi-coding-plan', 'https://api.kimi.com/coding/v1'],
  ['doubao-coding-plan', 'https://ark.cn-beijing.volces.com/api/coding/v3'],
])
