import type { ErrorTexts } from './define.ts'

/** What is wrong with a field of a model call. Words that clients write themselves are parameters, and stay as they are. */
export const fieldErrors = {
  // Of which kind it has to be
  'field.required': f('不能缺少', 'is required'),
  'field.empty': f('不能为空', 'must not be empty'),
  'field.string': f('必须是字符串', 'must be a string'),
  'field.text': f('必须是非空字符串', 'must be a non-empty string'),
  'field.flag': f('必须是 true 或 false', 'must be true or false'),
  'field.object': f('必须是对象', 'must be an object'),
  'field.list': f('必须是数组', 'must be an array'),
  'field.some': f('必须是非空数组', 'must be a non-empty array'),
  'field.strings': f('必须是字符串数组', 'must be an array of strings'),
  'field.string-or-list': f('必须是字符串或数组', 'must be a string or an array'),
  'field.string-or-strings': f('必须是字符串或字符串数组', 'must be a string or an array of strings'),
  'field.text-or-texts': f('必须是文本或非空的文本数组', 'must be text or a non-empty list of texts'),
  'field.object-with-url': f('必须是带有 url 的对象', 'must be an object with a url'),
  'field.data-url': f('必须是 base64 的 data: URL', 'must be a base64 data: URL'),
  'field.like': f('格式应如 {example}', 'must be like {example}'),

  // Numbers
  'field.number': f('必须是数字', 'must be a number'),
  'field.number-within': f('必须是 {least} 到 {most} 之间的数字', 'must be a number from {least} to {most}'),
  'field.whole': f('必须是整数', 'must be a whole number'),
  'field.whole-from': f('必须是不小于 {least} 的整数', 'must be a whole number of {least} or more'),
  'field.prompt-version': f(
    '必须是从 1 开始的版本号，或标签',
    'must be the number of a version, from 1 on, or a label',
  ),
  'field.whole-within': f(
    '必须是 {least} 到 {most} 之间的整数',
    'must be a whole number from {least} to {most}',
  ),
  'field.most': f('不能大于 {most}', 'must not be more than {most}'),
  'field.answer-too-long': f('过大：没有模型能回答这么多', 'too large: no model says so much'),

  // Words of which one has to be chosen
  'field.one-of': f('必须是以下之一：{choices}', 'must be one of {choices}'),
  'field.one-of-or-object': f('必须是 {choices} 或对象', 'must be {choices} or an object'),
  'field.one-of-or-seconds': f('必须是 {choices} 或秒数', 'must be {choices} or a number of seconds'),
  'field.unknown-value': f('不支持的取值 {value}', '{value} is not a known value'),

  // What may be in it
  'field.text-only': f('只能包含文本', 'may hold text only'),
  'field.no-audio': f('只能包含文本、图片和文件', 'may hold text, images and files only'),
  'field.holds-text': f('必须包含文本', 'must hold text'),
  'field.holds-part': f('必须至少包含一个部分', 'must hold at least one part'),
  'field.no-nul': f('不能含有空字符', 'must not hold a NUL'),
  'field.too-deep': f('嵌套过深', 'is nested too deeply'),
  'field.most-characters': f('最多 {most} 个字符', 'must be at most {most} characters'),
  'field.text-within': f('必须是 1 到 {most} 个字符的字符串', 'must be a string of 1 to {most} characters'),
  'field.model-name': f(
    '最多 {most} 个字符，且不能含有控制字符',
    'must be at most {most} characters, none of them a control character',
  ),
  'field.model-in-address': f('该名称无法写入地址', 'not a name that an address can hold'),
  'field.tool-name': f(
    '名称必须由 1 到 64 个字母、数字、下划线或连字符组成',
    'a name must be 1 to 64 letters, digits, underscores or hyphens',
  ),
  'field.tool-name-of-google': f(
    '必须以字母或 _ 开头，只含字母、数字和 _ . : -，且最多 128 个字符',
    'must start with a letter or _, hold only letters, digits, _ . : - and have at most 128 characters',
  ),
  'field.no-such-tool': f('没有指向请求中的任何工具', 'names no tool of the request'),
  'field.conversation': f(
    '必须是对话的编号，或含有编号的对象',
    'must be the id of a conversation, or an object with it',
  ),
  'field.metadata': f('最多可有 {most} 个短文本', 'must be up to {most} short texts'),
  'field.models': f('必须是模型名称的列表', 'must be a list of models'),
  'field.most-models': f('最多 {most} 个模型', 'must be {most} models at most'),
  'field.label': f(
    '必须是以逗号分隔的用途标签，每个最多 {most} 个可见字符，其他字符用百分号编码',
    'must be labels by commas, each of at most {most} characters that can be seen; percent-encode what a header cannot hold',
  ),
  'field.most-labels': f(
    '连同令牌的在内，最多 {most} 个用途标签',
    'must be {most} labels at most, with those of the token',
  ),
  'field.page-token': f('不是此处给出的值', 'not one that was given out here'),

  // Where it stands
  'field.twice': f('与 {other} 重复', 'given twice, also as {other}'),
  'field.spelling': f('必须写作 {meant}', 'must be spelled {meant}'),
  'field.too-long-for-channel': f(
    '对于该渠道要做的修改来说过长，请缩短',
    'too long for what its channel changes: make it shorter',
  ),

  // Forms
  'field.multipart': f('必须是 multipart/form-data', 'must be multipart/form-data'),
  'field.repeated': f('出现了不止一次', 'is there more than once'),
  'field.file': f('必须是一个文件', 'must be one file'),
  'field.before-file': f('须在文件之前（文件较大时）', 'must stand before the file, where that is long'),
  'field.no-file': f('不能是文件', 'must not be a file'),
  'field.form-boundary-missing': f('表单没有可用的分隔符', 'the multipart form has no usable boundary'),
  'field.form-boundary': f('表单的分隔符已损坏', 'the multipart form has a broken boundary'),
  'field.form-empty': f('表单没有任何部分', 'the multipart form has no part'),
  'field.form-parts': f('表单的部分过多', 'the multipart form has too many parts'),
  'field.form-cut': f('表单在结束分隔符之前中断', 'the multipart form ends before its closing boundary'),
  'field.form-head': f('表单中有请求头损坏的部分', 'the multipart form has a part with broken headers'),
  'field.form-head-end': f(
    '表单中有请求头没有结尾的部分',
    'the multipart form has a part without an end to its headers',
  ),

  // Files of requests
  'field.file-empty': f('文件中没有任何请求', 'has no line'),
  'field.file-lines': f('超过 {most} 行', 'has more than {most} lines'),
  'field.most-requests': f('最多 {most} 个请求', 'must be {most} requests at most'),
  'field.first-line': f('必须与第一行相同：{first}', 'must be that of the first line, {first}'),
} as const satisfies ErrorTexts

/** One problem of a field, whose name stands before it. */
function f<const Zh extends string, const En extends string>(zh: Zh, en: En) {
  return { status: 400, zh: `{field}：${zh}`, en: `{field}: ${en}` } as const
}
