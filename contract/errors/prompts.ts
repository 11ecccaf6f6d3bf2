import { type ErrorTexts, e } from './define.ts'

export const promptErrors = {
  // Said to who calls with one
  'prompt.unknown': e(404, '没有名为 {name} 的提示词', 'There is no prompt named {name}'),
  'prompt.unknown-version': e(
    404,
    '提示词 {name} 没有版本 {version}',
    'The prompt {name} has no version {version}',
  ),
  'prompt.variables': e(
    400,
    '提示词 {name} 缺少变量：{variables}',
    'The prompt {name} wants values for its variables: {variables}',
  ),
  'prompt.too-large': e(
    413,
    '填入变量后的提示词 {name} 过大，最多 {most} 个字符',
    'The prompt {name} is too large with its variables: {most} characters at most',
  ),
  'prompt.not-here': e(
    400,
    '提示词库中的提示词只能用于对话，此接口不支持',
    'Prompts are for chat: this call takes none',
  ),

  // Said to who keeps them
  'prompt.name-taken': e(200, '已有名为 {name} 的提示词', 'There is a prompt named {name} already'),
  'prompt.system-first': e(200, '系统消息必须在其他消息之前', 'System messages must stand before all others'),
  'prompt.large': e(
    200,
    '提示词过大：所有消息合计最多 {most} 个字符',
    'The prompt is too large: its messages have {most} characters at most, all together',
  ),
  'prompt.most': e(200, '最多 {most} 个提示词', 'There may be {most} prompts at most'),
  'prompt.most-versions': e(
    200,
    '一个提示词最多 {most} 个版本，请先删除不再需要的版本',
    'A prompt has {most} versions at most: delete some that are no longer needed',
  ),
  'prompt.no-room': e(
    200,
    '所有提示词的各版本合计最多 {most} 个字符，请先删除不再需要的版本',
    'All versions of all prompts have {most} characters at most: delete some that are no longer needed',
  ),
  'prompt.no-version': e(200, '没有版本 {version}', 'There is no version {version}'),
  'prompt.in-use': e(
    200,
    '版本 {version} 正在使用，不能删除',
    'Version {version} is in use and cannot be deleted',
  ),
  'prompt.not-yours': e(
    200,
    '只有团队所有者和创建者可以修改此提示词',
    'Only owners of the team and who made this prompt may change it',
  ),
} as const satisfies ErrorTexts
