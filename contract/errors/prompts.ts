import { type ErrorTexts, e } from './define.ts'

export const promptErrors = {
  // Said to who calls with one
  'prompt.unknown': e(404, '没有名为 {name} 的提示词', 'There is no prompt named {name}'),
  'prompt.unknown-version': e(
    404,
    '提示词 {name} 没有版本 {version}',
    'The prompt {name} has no version {version}',
  ),
  'prompt.unknown-label': e(404, '提示词 {name} 没有标签 {label}', 'The prompt {name} has no label {label}'),
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
  'prompt.labelled': e(
    200,
    '版本 {version} 带有标签 {labels}，请先移走标签',
    'Version {version} carries the label {labels}: move that to another first',
  ),
  'prompt.no-label': e(200, '没有标签 {label}', 'There is no label {label}'),
  'prompt.wrong-label': e(
    200,
    '标签以小写字母开头，只能包含小写字母、数字和 . _ -，最多 36 个字符；latest 始终指最新版本，不能移动',
    'A label begins with a small letter and has small letters, digits, . _ and -, up to 36; latest is always the newest and cannot be moved',
  ),
  'prompt.keeps-production': e(
    200,
    '总有一个版本在使用：production 可以移动，不能取下',
    'Some version is always in use: production can be moved, not taken off',
  ),
  'prompt.label-moved': e(
    200,
    '标签 {label} 已被移动，请看过现状再决定',
    'The label {label} has been moved meanwhile: look at where it stands first',
  ),
  'prompt.most-labels': e(200, '一个提示词最多 {most} 个标签', 'A prompt has {most} labels at most'),
  'prompt.not-yours': e(
    200,
    '只有团队所有者和创建者可以修改此提示词',
    'Only owners of the team and who made this prompt may change it',
  ),
} as const satisfies ErrorTexts
