import { type ErrorTexts, e } from './define.ts'

export const channelErrors = {
  'channel.incomplete': e(200, '请填写渠道名称和渠道密钥！', 'Please fill in the channel name and key'),
  'channel.type': e(200, '未知的渠道类型：{type}', 'Unknown channel type: {type}'),
  'channel.no-models': e(200, '请至少选择一个模型！', 'Please choose at least one model'),
  'channel.model-name': e(200, '模型名称过长: {model}', 'The model name is too long: {model}'),
  'channel.too-long': e(
    200,
    '{field} 过长，最多 {limit} 个字符',
    '{field} is too long: at most {limit} characters',
  ),
  'channel.too-many': e(200, '{field} 过多，最多 {limit} 个', 'Too many {field}: at most {limit}'),
  'channel.model-mapping': e(
    200,
    '模型映射必须是合法的 JSON 格式！',
    'The model mapping must be a valid JSON object',
  ),
  'channel.status-code-mapping': e(
    200,
    '状态码复写必须是合法的 JSON 格式！',
    'The status code mapping must be a valid JSON object',
  ),
  'channel.setting': e(
    200,
    '渠道额外设置必须是合法的 JSON 格式！',
    'The extra settings must be a valid JSON object',
  ),
  'channel.pass': e(
    200,
    'pass：透传设置的 {member} 无效',
    'pass: {member} of what passes through is not valid',
  ),
  'channel.pass-address': e(
    200,
    '任意 HTTP 接口的渠道须填写以 http:// 或 https:// 开头的接口地址',
    'A channel of any HTTP API needs its base URL, which begins with http:// or https://',
  ),
  'channel.cost-ratio': e(
    200,
    'cost_ratio：成本倍率须为 0 到 1000 的数，最多 6 位小数',
    'cost_ratio: the cost ratio must be a number from 0 to 1000 with at most 6 decimals',
  ),
  'channel.override-alone': e(
    200,
    'param_override：operations 旁不能有其他字段 {detail}',
    'param_override: {detail} cannot stand beside operations',
  ),
  'channel.override-kind': e(
    200,
    'param_override：{at} 缺失、过长或类型不正确',
    'param_override: {at} is missing, too long or of the wrong kind',
  ),
  'channel.override-mode': e(
    200,
    'param_override：{at} 不支持 {detail}',
    'param_override: {at} is no known mode: {detail}',
  ),
  'channel.override-path': e(
    200,
    'param_override：{at} 不是可用的路径或请求头 {detail}',
    'param_override: {at} is no path or header that can be used: {detail}',
  ),
  'channel.override-guarded': e(
    200,
    'param_override：{at} 不能这样修改 {detail}，计费以它为准；更换模型请用模型映射',
    'param_override: {at} cannot change {detail} like this, because prices depend on it; for models there is the model mapping',
  ),
  'channel.override-pattern': e(
    200,
    'param_override：{at} 不是可用的正则表达式，问题在于 {detail}',
    'param_override: {at} is no regular expression that can be used, because of {detail}',
  ),
  'channel.override-many': e(
    200,
    'param_override：{at} 最多 {detail} 项',
    'param_override: {at} has too many entries, {detail} is the most',
  ),
  'channel.header-override': e(
    200,
    'header_override：{name} 不是可用的请求头或正则表达式',
    'header_override: {name} is no header or regular expression that can be used',
  ),
  'channel.priority': e(200, '优先级必须是整数！', 'The priority must be a whole number'),
  'channel.weight': e(200, '权重必须是非负整数！', 'The weight must be a whole number of 0 or more'),
  'channel.status': e(200, '无效的渠道状态', 'Not a status that a channel can be set to'),
  'channel.base-url': e(
    200,
    '渠道地址必须以 http:// 或 https:// 开头',
    'The address must begin with http:// or https://',
  ),
  'channel.address-call': e(
    200,
    '渠道地址末尾多了“{call}”：各接口的路径会自动补上，请去掉它',
    'Leave “{call}” out of the address: the path of each call is put behind it',
  ),
  'channel.address-missing': e(200, '请填写渠道地址！', 'Enter the channel’s address'),
  'channel.address-page': e(
    200,
    '{host} 是供人登录的网页，不是接口：请填写接口的地址',
    '{host} is a page for people to log in at, not an API: enter the address of the API',
  ),
  'channel.address-password': e(
    200,
    '渠道地址与代理中的密码未显示，更换主机、用户名或代理时请重新填写',
    'Passwords in the address and the proxy are not shown: enter them again when a host, a user or the proxy changes',
  ),
  'channel.header-secret': e(
    200,
    '请求头 {name} 的值未显示，新增该请求头，或更换渠道的类型、地址、代理时，请重新填写',
    'What the header {name} says is not shown: enter it again where it is new, or the type, address or proxy changes',
  ),
  'channel.region-blank': e(200, '部署地区不能为空', 'The region must not be blank'),
  'channel.region-default': e(
    200,
    '部署地区必须包含default字段',
    'The regions must include one named default',
  ),
  'channel.region-name': e(
    200,
    '部署地区只能包含字母、数字和连字符',
    'A region has letters, digits and hyphens only',
  ),
  'channel.arguments': e(200, '参数错误', 'No channel is named: ids is blank'),
  'channel.tag-missing': e(200, 'tag不能为空', 'The tag must not be blank'),
  'channel.tag-blank': e(200, '标签不能为空！', 'The tag must not be blank'),
  'channel.tag-unchanged': e(200, '没有任何修改！', 'Nothing was changed'),
  'channel.key-unreadable': e(
    200,
    '渠道密钥无法读取，请重新填写密钥',
    'The channel’s key cannot be read: enter it again',
  ),
  'channel.key-again': e(
    200,
    '修改渠道的类型、地址或代理时，请重新填写密钥',
    'To change the type, address or proxy of a channel, enter its key again',
  ),
  'channel.key-sign': e(
    200,
    '渠道密钥中的“{sign}”无法发送，请重新复制完整的密钥',
    'The channel’s key holds “{sign}”, which cannot be sent: copy the whole key again',
  ),
  'channel.key-front': e(
    200,
    '渠道密钥前多了“{front}”，请只填写密钥本身',
    'Leave “{front}” out: enter the key alone',
  ),
  'channel.key-format': e(200, '渠道密钥格式不正确，应为 {form}', 'The key is not in the form {form}'),
  'channel.reveal-denied': e(403, '密码错误，无法查看渠道密钥', 'Wrong password: the key is not shown'),
  'channel.reveal-too-many': e(
    429,
    '尝试次数过多，请在 {minutes} 分钟后重试',
    'Too many attempts, try again in {minutes, plural, one {# minute} other {# minutes}}',
  ),

  // Asking the upstream
  'channel.fetch-models': e(500, 'Failed to fetch models', 'Failed to fetch models'),
  'channel.fetch-arguments': e(400, 'Invalid request', 'Invalid request'),
  'channel.list-unsupported': e(
    200,
    '该渠道类型无法获取模型列表',
    'The models of this type of channel cannot be listed',
  ),
  'channel.upstream-unreached': e(200, '请求上游地址失败', 'The upstream could not be reached'),
  'channel.upstream-refused': e(
    200,
    '上游拒绝了请求（状态码 {status}）',
    'The upstream refused the request (status {status})',
  ),
  'channel.upstream-unreadable': e(
    200,
    '上游返回了无法识别的内容',
    'The upstream’s answer could not be read',
  ),
  'channel.balance-unsupported': e(200, '尚未实现', 'Not available for this type of channel'),
  'channel.test-unsupported': e(200, '{type} 渠道不支持测试', 'Channels of type {type} cannot be tested'),
  'channel.test-model': e(
    200,
    '模型 {model} 无法用简短的请求测试',
    'The model {model} cannot be tested with a short request',
  ),
  'channel.test-running': e(200, '测试已在运行中', 'A test is already running'),
  'channel.balance-running': e(200, '余额更新已在运行中', 'Balances are already being updated'),
  'channel.work-unknown': e(200, '没有正在运行的任务：{name}', 'Nothing of this name is running: {name}'),
} as const satisfies ErrorTexts
