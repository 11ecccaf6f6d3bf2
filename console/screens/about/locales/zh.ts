export default {
  title: '关于',
  what: '{name} 是一个 AI 模型接口网关：一个地址转发到多家模型服务商，按用量精确计费，并提供用户、令牌与渠道的管理。',
  version: '版本',
  api: '接口文档',
  licence: '许可证',
  hint: '超级管理员可以在“设置 → 其他设置”中替换本页内容。',
}
